package io.slicewise.lab.dom0;

import io.slicewise.base.units.Phrase;
import io.slicewise.lab.disk.KernelIo;
import io.slicewise.lab.disk.SharedDisk;
import io.slicewise.lab.fault.CounterFaults;
import io.slicewise.lab.host.Driver;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.Runstate.RunstateTimes;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * {@code /proc} of the control domain or a guest, derived from the activity of its vCPUs. Running
 * time appears as user and system, waiting for a pCPU as steal, blocked time as idle or, with
 * requests to the disk in flight, as waiting for it, in ticks of 10 ms. The files that distinguish
 * this host from a real one are also here: the DMI table of a virtual machine, and the lab's
 * lateness.
 */
public final class ProcFiles {
  private static final long NANOS_A_TICK = 10_000_000;

  private static final long NANOS_A_MICRO = 1000;

  private final Driver driver;
  private final Function<Machine, List<RunstateTimes>> cpus;
  private final SharedDisk disk;
  private final int domid;
  private final CounterFaults faults;
  private final long since;
  private final Instant booted = Instant.now();
  private final UUID bootId = UUID.randomUUID();

  private ProcFiles(
      Driver driver,
      SharedDisk disk,
      int domid,
      CounterFaults faults,
      long since,
      Function<Machine, List<RunstateTimes>> cpus) {
    this.driver = driver;
    this.disk = disk;
    this.domid = domid;
    this.faults = faults;
    this.since = since;
    this.cpus = cpus;
  }

  /** Returns the files of a control domain, or of a machine that is one domain by itself. */
  public static ProcFiles ofDom0(Driver driver, SharedDisk disk, CounterFaults faults, int vcpus) {
    return new ProcFiles(driver, disk, 0, faults, 0, machine -> domain(machine, 0, vcpus));
  }

  /** Returns the files of a guest that boots now. */
  public static ProcFiles ofGuest(
      Driver driver, SharedDisk disk, CounterFaults faults, int domid, int vcpus) {
    return new ProcFiles(
        driver, disk, domid, faults, driver.now(), machine -> domain(machine, domid, vcpus));
  }

  private static List<RunstateTimes> domain(Machine machine, int domid, int vcpus) {
    return IntStream.range(0, vcpus).mapToObj(cpu -> machine.times(domid, cpu)).toList();
  }

  /** Returns the files of a host that runs directly on the pCPUs. */
  public static ProcFiles ofHost(Driver driver, SharedDisk disk, CounterFaults faults, int pcpus) {
    return new ProcFiles(
        driver,
        disk,
        0,
        faults,
        0,
        machine -> IntStream.range(0, pcpus).mapToObj(p -> pcpu(machine, p)).toList());
  }

  private static RunstateTimes pcpu(Machine machine, int pcpu) {
    long busy = machine.busyNanos(pcpu);
    return new RunstateTimes(busy, 0, machine.now() - busy, 0, 0);
  }

  /** Adds the files to the file system of a guest. */
  public void into(HostFiles files) {
    counters(files);
    pressure(files);
  }

  /** Adds what the kernel counts of waiting, unless it does not. */
  public void pressure(HostFiles files) {
    files.withdraw("/proc/pressure");
    if (faults.pressure()) {
      files.generate("/proc/pressure/cpu", () -> pressure(0, 0));
      files.generate("/proc/pressure/memory", () -> pressure(0, 0));
      momentary(files, "/proc/pressure/io", () -> pressure(io().someNanos(), io().fullNanos()));
    }
  }

  private static String pressure(long someNanos, long fullNanos) {
    return """
    some avg10=0.00 avg60=0.00 avg300=0.00 total=%d
    full avg10=0.00 avg60=0.00 avg300=0.00 total=%d
    """
        .formatted(someNanos / NANOS_A_MICRO, fullNanos / NANOS_A_MICRO);
  }

  /** Adds the file with a machine's memory to its file system. */
  public static void memory(HostFiles files, long mebibytes) {
    files.generate("/proc/meminfo", () -> "MemTotal: %15d kB\n".formatted(mebibytes * 1024));
  }

  /** Adds the files to the file system of the host. */
  public void into(HostFiles files, MachineIdentity identity) {
    counters(files);
    KernelSettings.into(files);
    files.generate("/sys/class/dmi/id/sys_vendor", () -> "Slicewise\n");
    files.generate("/sys/class/dmi/id/product_name", () -> "Simulated host\n");
    files.generate("/run/slicewise-lab/lateness", () -> driver.lateness().sinceBoot() + "\n");
    files.generate(
        "/proc/version",
        () -> "Linux version " + identity.release() + " " + identity.kernel() + "\n");
  }

  private void counters(HostFiles files) {
    momentary(files, "/proc/stat", this::stat);
    momentary(files, "/proc/loadavg", this::loadavg);
    files.generate("/proc/uptime", this::uptime, driver.atOnce(), faults::reading);
    momentary(files, "/proc/vmstat", this::vmstat);
    momentary(files, "/proc/diskstats", this::diskstats);
    files.generate("/proc/sys/kernel/random/boot_id", () -> bootId + "\n");
  }

  private void momentary(HostFiles files, String path, Supplier<String> text) {
    files.generate(path, text, driver.atOnce(), () -> {});
  }

  private List<RunstateTimes> times() {
    return driver.ask(cpus);
  }

  private String stat() {
    List<RunstateTimes> times = times();
    long waited = io().waitedNanos();
    StringBuilder text = new StringBuilder(line("cpu ", times, waited));
    for (int vcpu = 0; vcpu < times.size(); vcpu++) {
      long here = Math.min(waited, times.get(vcpu).blockedNanos());
      text.append(line("cpu" + vcpu, times.subList(vcpu, vcpu + 1), here));
      waited -= here;
    }
    long switches = times.stream().mapToLong(RunstateTimes::dispatches).sum();
    return text.append("intr ")
        .append(switches)
        .append("\nctxt ")
        .append(switches)
        .append("\nbtime ")
        .append(booted.getEpochSecond())
        .append("\nprocesses 2100\nprocs_running 1\nprocs_blocked 0\nsoftirq 0\n")
        .toString();
  }

  private KernelIo.Now io() {
    return driver.ask(machine -> disk.of(machine, domid, faults.diskMillis()));
  }

  private static String line(String name, List<RunstateTimes> times, long waitedNanos) {
    long run = ticks(times.stream().mapToLong(RunstateTimes::runningNanos).sum());
    long steal = ticks(times.stream().mapToLong(t -> t.runnableNanos() + t.offlineNanos()).sum());
    long blocked = times.stream().mapToLong(RunstateTimes::blockedNanos).sum();
    long waited = Math.min(waitedNanos, blocked);
    long user = run / 3;
    return Phrase.of(
        "%s %d 0 %d %d %d 0 0 %d 0 0\n",
        name, user, run - user, ticks(blocked - waited), ticks(waited), steal);
  }

  private static long ticks(long nanos) {
    return nanos / NANOS_A_TICK;
  }

  /** Returns all three load averages as the mean number of busy or waiting vCPUs since boot. */
  private String loadavg() {
    long busy = 0;
    long all = 0;
    for (RunstateTimes times : times()) {
      long here = times.runningNanos() + times.runnableNanos() + times.offlineNanos();
      busy += here;
      all += here + times.blockedNanos();
    }
    double load = all == 0 ? 0 : (double) busy * times().size() / all;
    return Phrase.of("%.2f %.2f %.2f 1/120 2101\n", load, load, load);
  }

  private String uptime() {
    long now = driver.ask(Machine::now);
    double seconds = (now - since + faults.ahead().toNanos()) / 1e9;
    double idle = times().stream().mapToLong(RunstateTimes::blockedNanos).sum() / 1e9;
    return Phrase.of("%.2f %.2f\n", seconds, idle);
  }

  private String vmstat() {
    KernelIo.Now io = io();
    return """
    nr_free_pages 131072
    pgpgin %d
    pgpgout %d
    pswpin 0
    pswpout 0
    pgfault %d
    pgmajfault 0
    """
        .formatted(io.pagedIn(), io.pagedOut(), io.faults());
  }

  private String diskstats() {
    String counts = io().disk();
    return domid == 0
        ? "   8       0 sda %s\n   8       1 sda1 %s\n".formatted(counts, counts)
        : " 202       0 xvda %s\n".formatted(counts);
  }

  /**
   * What the kernel of a lab's host keeps in files. They are read and written as on Linux, and have
   * no effect: the lab's guests have no memory, and its disk one order.
   */
  private static final class KernelSettings {
    private KernelSettings() {}

    static void into(HostFiles files) {
      choice(files, "/sys/kernel/mm/transparent_hugepage/enabled", 1, "always", "madvise", "never");
      choice(files, "/sys/block/xvda/queue/scheduler", 0, "none", "mq-deadline", "kyber", "bfq");
      number(files, "/sys/block/xvda/queue/read_ahead_kb", 128);
      number(files, "/proc/sys/vm/swappiness", 60);
      files.generate("/sys/block/xvda/size", () -> "8388608\n");
    }

    /** Adds a file that shows all words, with the chosen one in brackets. */
    private static void choice(HostFiles files, String path, int first, String... words) {
      AtomicReference<String> chosen = new AtomicReference<>(words[first]);
      List<String> all = List.of(words);
      files.generate(
          path,
          () ->
              String.join(
                      " ",
                      all.stream()
                          .map(word -> word.equals(chosen.get()) ? "[" + word + "]" : word)
                          .toList())
                  + "\n",
          text -> chosen.set(known(all, text.strip())));
    }

    private static String known(List<String> words, String text) {
      if (!words.contains(text)) {
        throw new IllegalArgumentException("Invalid argument");
      }
      return text;
    }

    private static void number(HostFiles files, String path, int first) {
      AtomicReference<Integer> value = new AtomicReference<>(first);
      files.generate(
          path, () -> value.get() + "\n", text -> value.set(Integer.valueOf(text.strip())));
    }
  }
}
