package io.slicewise.lab.libvirt;

import io.slicewise.lab.host.CpuSet;
import io.slicewise.lab.sim.FairScheduler;
import io.slicewise.lab.sim.FairScheduler.Throttling;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;

/** One run of a guest from start to end: its QEMU process, its threads and its control groups. */
public final class Life {
  /** The number of threads without a vCPU: the main loop, a worker, the monitor's. */
  private static final int OTHER_THREADS = 3;

  /** The kernel's weight of a group at disks. */
  private static final int USUAL_DISK_WEIGHT = 100;

  private final int id;
  private final int pid;
  private final Definition definition;
  private final HostMachine host;
  private final LabCgroup group;
  private final LabCgroup emulator;
  private final List<LabCgroup> vcpus = new ArrayList<>();
  private final List<LabCgroup> iothreads = new ArrayList<>();
  private OptionalInt diskWeight;

  /**
   * A thread of the process.
   *
   * @param comm its name
   * @param cgroup its control group
   */
  record GuestThread(int tid, String comm, LabCgroup cgroup, Optional<RunstateTimes> times) {}

  Life(int id, String name, int pid, Definition definition, HostMachine host) {
    this.id = id;
    this.pid = pid;
    this.definition = definition;
    this.host = host;
    String plain = name.replaceAll("[^A-Za-z0-9.:-]", "");
    group =
        host.machineGroup()
            .child("qemu-" + id + "-" + plain + ".libvirt-qemu", g -> host.applied(g, id));
    emulator = group.child("emulator", g -> host.applied(g, FairScheduler.emulator(id), 0));
    for (int vcpu = 0; vcpu < definition.vcpus(); vcpu++) {
      int number = vcpu;
      vcpus.add(group.child("vcpu" + vcpu, g -> host.applied(g, id, number)));
    }
    for (int thread = 1; thread <= definition.iothreads(); thread++) {
      iothreads.add(group.child("iothread" + thread, g -> {}));
    }
    boolean weighs = host.version() == GroupVersion.V2;
    diskWeight = weighs ? OptionalInt.of(USUAL_DISK_WEIGHT) : OptionalInt.empty();
  }

  public int id() {
    return id;
  }

  public int pid() {
    return pid;
  }

  Definition definition() {
    return definition;
  }

  /**
   * Returns the requested settings of the running guest, which may differ from the effective ones.
   */
  public Definition asked() {
    return definition;
  }

  LabCgroup group() {
    return group;
  }

  LabCgroup emulator() {
    return emulator;
  }

  List<LabCgroup> vcpus() {
    return vcpus;
  }

  /** Returns the groups of its I/O threads, which have no work here. */
  List<LabCgroup> iothreads() {
    return iothreads;
  }

  /** Returns its weight at the disks; empty if the host weighs none. */
  public OptionalInt diskWeight() {
    return diskWeight;
  }

  public void setDiskWeight(int weight) {
    diskWeight = OptionalInt.of(weight);
  }

  /** Returns how many vCPUs its kernel uses, as its agent reports. */
  public int online() {
    return host.ask(
        machine -> (int) machine.vcpus(id).stream().filter(Machine.VcpuView::online).count());
  }

  /** Leaves the first vCPUs in use. */
  public void setOnline(int count) {
    host.change(machine -> machine.setOnline(id, count));
  }

  /** Returns all control groups of the guest, its own first. */
  List<LabCgroup> groups() {
    List<LabCgroup> all = new ArrayList<>(List.of(group, emulator));
    all.addAll(vcpus);
    all.addAll(iothreads);
    return all;
  }

  /** Returns the number of thread numbers that a process with this definition needs. */
  static int threadsOf(Definition definition) {
    return OTHER_THREADS + definition.vcpus() + definition.iothreads();
  }

  /** Returns its threads with their numbers and names. */
  List<GuestThread> threads() {
    List<GuestThread> all = new ArrayList<>();
    int tid = pid;
    all.add(new GuestThread(tid++, "qemu-system-x86", emulator, Optional.of(emulatorTimes())));
    all.add(new GuestThread(tid++, "qemu-system-x86", emulator, Optional.empty()));
    all.add(new GuestThread(tid++, "IO mon_iothread", emulator, Optional.empty()));
    for (int vcpu = 0; vcpu < vcpus.size(); vcpu++) {
      all.add(
          new GuestThread(
              tid++, "CPU " + vcpu + "/TCG", vcpus.get(vcpu), Optional.of(times(vcpu))));
    }
    for (int thread = 0; thread < iothreads.size(); thread++) {
      String comm = "IO iothread" + (thread + 1);
      all.add(new GuestThread(tid++, comm, iothreads.get(thread), Optional.empty()));
    }
    return all;
  }

  /** Returns a vCPU's time in each runstate, with ready time as in {@link #readyNanos}. */
  public RunstateTimes times(int vcpu) {
    return host.ask(machine -> machine.times(id, vcpu));
  }

  public RunstateTimes emulatorTimes() {
    return host.ask(machine -> machine.times(FairScheduler.emulator(id), 0));
  }

  /** Returns the time a vCPU was ready but did not run, the kernel's run delay. */
  public long readyNanos(int vcpu) {
    return host.ask(machine -> machine.fair().readyNanos(id, vcpu));
  }

  long emulatorReadyNanos() {
    return host.ask(machine -> machine.fair().readyNanos(FairScheduler.emulator(id), 0));
  }

  /** Returns the CPU time of all its threads. */
  public long cpuNanos() {
    long sum = emulatorTimes().runningNanos();
    for (int vcpu = 0; vcpu < vcpus.size(); vcpu++) {
      sum += times(vcpu).runningNanos();
    }
    return sum;
  }

  Throttling throttling(LabCgroup of) {
    return host.ask(machine -> throttling(machine, of));
  }

  private Throttling throttling(Machine machine, LabCgroup of) {
    int vcpu = vcpus.indexOf(of);
    if (vcpu >= 0) {
      return machine.fair().throttling(id, vcpu);
    }
    return of == emulator
        ? machine.fair().throttling(FairScheduler.emulator(id), 0)
        : of == group ? machine.fair().throttling(id) : new Throttling(0, 0, 0);
  }

  /** Returns the pCPUs that a vCPU may run on, in the kernel's format. */
  String cpus(Optional<String> pin) {
    return CpuSet.ranges(cpuSet(pin));
  }

  Set<Integer> cpuSet(Optional<String> pin) {
    return pin.map(text -> (Set<Integer>) CpuSet.parse(text, host.pcpus()))
        .orElseGet(
            () ->
                IntStream.range(0, host.pcpus())
                    .boxed()
                    .collect(java.util.stream.Collectors.toSet()));
  }

  /** Applies the current pinning to the machine. */
  void pinned() {
    for (int vcpu = 0; vcpu < vcpus.size(); vcpu++) {
      int number = vcpu;
      Set<Integer> on = cpuSet(definition.pin(vcpu));
      host.change(machine -> machine.pin(id, number, on));
    }
    Set<Integer> on = cpuSet(definition.emulatorPin());
    host.change(machine -> machine.pin(FairScheduler.emulator(id), 0, on));
  }
}
