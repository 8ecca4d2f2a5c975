package io.slicewise.lab.libvirt;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.libvirt.LabCgroup.KernelRefusal;
import io.slicewise.lab.libvirt.Life.GuestThread;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.sim.FairScheduler.Throttling;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * The files in which a host exposes its guests: threads below {@code /proc}, process numbers below
 * {@code /run/libvirt}, and control groups, which are also writable.
 */
public final class GuestFiles {
  private static final long NANOS_A_MICRO = 1000;

  private final HostFiles files;
  private HostMachine host;

  public GuestFiles(HostFiles files) {
    this.files = files;
  }

  /** Creates the files that exist even without guests. */
  void host(HostMachine of) {
    host = of;
    for (String emptied : List.of("/sys/fs/cgroup", "/run/libvirt/qemu")) {
      files.withdraw(emptied);
    }
    group(of.machineGroup(), () -> new Throttling(0, 0, 0), () -> 0);
    if (of.version() == GroupVersion.V2) {
      files.generate("/sys/fs/cgroup/cgroup.controllers", () -> "cpuset cpu io memory pids\n");
      files.generate("/sys/fs/cgroup/cgroup.subtree_control", () -> "cpuset cpu io memory\n");
    } else {
      files.generate("/sys/fs/cgroup/unified/cgroup.controllers", () -> "\n");
    }
    files.generate("/proc/mounts", () -> mounts(of.version()));
    files.generate("/run/libvirt/qemu/driver.pid", () -> Libvirtd.pid() + "\n");
    files.generate("/run/libvirtd.pid", () -> Libvirtd.pid() + "\n");
  }

  private static String mounts(GroupVersion version) {
    String before = "proc /proc proc rw,nosuid,nodev,noexec,relatime 0 0\n";
    return version == GroupVersion.V2
        ? before + "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid,nodev,noexec,relatime 0 0\n"
        : before
            + """
            cgroup /sys/fs/cgroup/cpu cgroup rw,relatime,cpu 0 0
            cgroup /sys/fs/cgroup/cpuset cgroup rw,relatime,cpuset 0 0
            cgroup2 /sys/fs/cgroup/unified cgroup2 rw,relatime 0 0
            """;
  }

  /** Adds the files of a guest that has started. */
  void began(LibvirtGuest guest, Life life) {
    for (LabCgroup group : life.groups()) {
      group(group, () -> life.throttling(group), () -> usedNanos(life, group));
    }
    String sets = host.version() == GroupVersion.V2 ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpuset";
    for (LabCgroup group : life.groups()) {
      files.generate(sets + group.path() + "/cpuset.cpus", () -> cpus(life, group) + "\n");
    }
    String process = "/proc/" + life.pid();
    files.generate(process + "/cgroup", () -> memberships(life, life.emulator()));
    files.generate(process + "/comm", () -> "qemu-system-x86\n");
    files.generate(
        process + "/cmdline",
        () -> "/usr/bin/qemu-system-x86_64\0-name\0guest=" + guest.name() + "\0");
    List<GuestThread> threads = life.threads();
    for (int at = 0; at < threads.size(); at++) {
      thread(process + "/task/", life, at, threads.get(at));
    }
    files.generate("/run/libvirt/qemu/" + guest.name() + ".pid", () -> String.valueOf(life.pid()));
    files.generate("/run/libvirt/qemu/" + guest.name() + ".xml", () -> "<domstatus/>\n");
  }

  /** Removes the files of a guest that has ended. */
  void ended(LibvirtGuest guest, Life life) {
    files.withdraw("/proc/" + life.pid());
    files.withdraw("/run/libvirt/qemu/" + guest.name() + ".pid");
    files.withdraw("/run/libvirt/qemu/" + guest.name() + ".xml");
    for (String root : roots()) {
      files.withdraw(root + life.group().path());
    }
  }

  private List<String> roots() {
    return host.version() == GroupVersion.V2
        ? List.of("/sys/fs/cgroup")
        : List.of("/sys/fs/cgroup/cpu", "/sys/fs/cgroup/cpuset", "/sys/fs/cgroup/unified");
  }

  // ---- /proc

  private void thread(String tasks, Life life, int at, GuestThread thread) {
    String task = tasks + thread.tid();
    files.generate(task + "/comm", () -> thread.comm() + "\n");
    files.generate(task + "/cgroup", () -> memberships(life, thread.cgroup()));
    files.generate(task + "/schedstat", () -> schedstat(life, at));
    files.generate(
        task + "/status",
        () ->
            "Name:\t%s\nCpus_allowed_list:\t%s\n"
                .formatted(thread.comm(), cpus(life, thread.cgroup())));
  }

  private static String schedstat(Life life, int at) {
    GuestThread thread = life.threads().get(at);
    int vcpu = life.vcpus().indexOf(thread.cgroup());
    return thread
        .times()
        .map(
            times ->
                Phrase.of(
                    "%d %d %d%n",
                    times.runningNanos(),
                    vcpu >= 0 ? life.readyNanos(vcpu) : life.emulatorReadyNanos(),
                    times.dispatches()))
        .orElse("1800000 240000 12\n");
  }

  private String memberships(Life life, LabCgroup group) {
    if (host.version() == GroupVersion.V2) {
      return "0::" + group.path() + "\n";
    }
    String whole = life.group().path();
    return """
    9:name=systemd:/
    8:pids:/
    7:blkio:%1$s
    6:freezer:%1$s
    5:devices:/
    4:memory:%1$s
    3:cpuset:%2$s
    2:cpuacct:/
    1:cpu:%2$s
    0::%2$s
    """
        .formatted(whole, group.path());
  }

  // ---- control groups

  private void group(
      LabCgroup group, java.util.function.Supplier<Throttling> throttling, LongSupplier usedNanos) {
    String below = host.version().root() + group.path() + "/";
    if (host.version() == GroupVersion.V2) {
      setting(below + "cpu.weight", group::weight, group::setWeight);
      files.generate(below + "cpu.max", () -> max(group), text -> max(group, text));
      files.generate(
          below + "cpu.stat", () -> statOfVersion2(throttling.get(), usedNanos.getAsLong()));
      files.generate(below + "cgroup.controllers", () -> "cpuset cpu io memory\n");
      return;
    }
    setting(below + "cpu.shares", group::weight, group::setWeight);
    setting(below + "cpu.cfs_period_us", group::period, group::setPeriod);
    setting(below + "cpu.cfs_quota_us", group::quota, group::setQuota);
    files.generate(below + "cpu.cfs_burst_us", () -> "0\n");
    files.generate(below + "cpu.idle", () -> "0\n");
    files.generate(below + "cpu.rt_period_us", () -> "1000000\n");
    files.generate(below + "cpu.rt_runtime_us", () -> "0\n");
    files.generate(below + "cpu.stat", () -> stat(throttling.get()));
    files.generate(below + "cpu.stat.local", () -> "throttled_usec 0\n");
    for (String other : List.of("cgroup.procs", "tasks")) {
      files.generate(below + other, () -> "");
    }
    for (String other : List.of("cgroup.clone_children", "notify_on_release")) {
      files.generate(below + other, () -> "0\n");
    }
    files.generate(
        "/sys/fs/cgroup/unified" + group.path() + "/cpu.stat", () -> usage(usedNanos.getAsLong()));
  }

  private void setting(String path, LongSupplier read, LongConsumer write) {
    files.generate(
        path,
        () -> read.getAsLong() + "\n",
        text -> {
          if (!text.strip().matches("-?\\d{1,18}")) {
            throw KernelRefusal.invalid();
          }
          write.accept(Long.parseLong(text.strip()));
        });
  }

  private static String max(LabCgroup group) {
    boolean none = group.quota() == LabCgroup.NONE;
    return (none ? "max" : String.valueOf(group.quota())) + " " + group.period() + "\n";
  }

  private static void max(LabCgroup group, String text) {
    String[] words = text.strip().split("\\s+", -1);
    if (words.length > 2 || !text.strip().matches("(max|\\d{1,18})( \\d{1,18})?")) {
      throw KernelRefusal.invalid();
    }
    long quota = words[0].equals("max") ? LabCgroup.NONE : Long.parseLong(words[0]);
    group.set(quota, words.length == 2 ? Long.parseLong(words[1]) : group.period());
  }

  private static String stat(Throttling counted) {
    return """
    nr_periods %d
    nr_throttled %d
    throttled_time %d
    nr_bursts 0
    burst_time 0
    """
        .formatted(counted.periods(), counted.throttled(), counted.throttledNanos());
  }

  private static String usage(long nanos) {
    long micros = nanos / NANOS_A_MICRO;
    return "usage_usec %d\nuser_usec %d\nsystem_usec %d\n"
        .formatted(micros, micros - micros / 10, micros / 10);
  }

  private static String statOfVersion2(Throttling counted, long nanos) {
    return usage(nanos)
        + """
        nr_periods %d
        nr_throttled %d
        throttled_usec %d
        nr_bursts 0
        burst_usec 0
        """
            .formatted(
                counted.periods(), counted.throttled(), counted.throttledNanos() / NANOS_A_MICRO);
  }

  private static long usedNanos(Life life, LabCgroup group) {
    int vcpu = life.vcpus().indexOf(group);
    if (vcpu >= 0) {
      return life.times(vcpu).runningNanos();
    }
    return group == life.group()
        ? life.cpuNanos()
        : group == life.emulator() ? life.emulatorTimes().runningNanos() : 0;
  }

  private static String cpus(Life life, LabCgroup group) {
    int vcpu = life.vcpus().indexOf(group);
    int iothread = life.iothreads().indexOf(group);
    if (iothread >= 0) {
      return life.cpus(life.definition().ioPin(iothread));
    }
    return life.cpus(vcpu >= 0 ? life.definition().pin(vcpu) : life.definition().emulatorPin());
  }
}
