package io.slicewise.lab.dom0;

import io.slicewise.lab.host.Driver;
import io.slicewise.lab.host.MachineIdentity;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.sim.Machine;
import io.slicewise.lab.sim.RunstateTimes;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * {@code /proc} of the control domain or a guest, derived from the activity of its vCPUs. Running
 * time appears as user and system, waiting for a pCPU as steal, blocked time as idle, in ticks of
 * 10 ms. Memory and disks are not modelled; their counters exist but never change. The files that
 * distinguish this host from a real one are also here: the DMI table of a virtual machine, and the
 * lab's lateness.
 */
public final class ProcFiles {
  private static final long NANOS_A_TICK = 10_000_000;

  private static final String NO_PRESSURE =
      """
      some avg10=0.00 avg60=0.00 avg300=0.00 total=0
      full avg10=0.00 avg60=0.00 avg300=0.00 total=0
      """;

  private final Driver driver;
  private final Function<Machine, List<RunstateTimes>> cpus;
  private final long since;
  private final Instant booted = Instant.now();
  private final UUID bootId = UUID.randomUUID();

  private ProcFiles(Driver driver, long since, Function<Machine, List<RunstateTimes>> cpus) {
    this.driver = driver;
    this.since = since;
    this.cpus = cpus;
  }

  /** Returns the files of a control domain, whose CPUs are its vCPUs. */
  public static ProcFiles ofDom0(Driver driver, int vcpus) {
    return new ProcFiles(driver, 0, machine -> domain(machine, 0, vcpus));
  }

  /** Returns the files of a guest that boots now. */
  public static ProcFiles ofGuest(Driver driver, int domid, int vcpus) {
    return new ProcFiles(driver, driver.now(), machine -> domain(machine, domid, vcpus));
  }

  private static List<RunstateTimes> domain(Machine machine, int domid, int vcpus) {
    return IntStream.range(0, vcpus).mapToObj(cpu -> machine.times(domid, cpu)).toList();
  }

  /** Returns the files of a host that runs directly on the pCPUs. */
  public static ProcFiles ofHost(Driver driver, int pcpus) {
    return new ProcFiles(
        driver, 0, machine -> IntStream.range(0, pcpus).mapToObj(p -> pcpu(machine, p)).toList());
  }

  private static RunstateTimes pcpu(Machine machine, int pcpu) {
    long busy = machine.busyNanos(pcpu);
    return new RunstateTimes(busy, 0, machine.now() - busy, 0, 0);
  }

  /** Adds the files to the file system of a guest. */
  public void into(HostFiles files) {
    counters(files);
    for (String of : List.of("cpu", "io", "memory")) {
      files.generate("/proc/pressure/" + of, () -> NO_PRESSURE);
    }
  }

  /** Adds the files to the file system of the host. */
  public void into(HostFiles files, MachineIdentity identity) {
    counters(files);
    files.generate("/sys/class/dmi/id/sys_vendor", () -> "Slicewise\n");
    files.generate("/sys/class/dmi/id/product_name", () -> "Simulated host\n");
    files.generate("/run/slicewise-lab/lateness", () -> driver.lateness().sinceBoot() + "\n");
    files.generate(
        "/proc/version",
        () -> "Linux version " + identity.release() + " " + identity.kernel() + "\n");
  }

  private void counters(HostFiles files) {
    files.generate("/proc/stat", this::stat);
    files.generate("/proc/loadavg", this::loadavg);
    files.generate("/proc/uptime", this::uptime);
    files.generate("/proc/vmstat", ProcFiles::vmstat);
    files.generate("/proc/diskstats", ProcFiles::diskstats);
    files.generate("/proc/sys/kernel/random/boot_id", () -> bootId + "\n");
  }

  private List<RunstateTimes> times() {
    return driver.ask(cpus);
  }

  private String stat() {
    List<RunstateTimes> times = times();
    StringBuilder text = new StringBuilder(line("cpu ", times));
    for (int vcpu = 0; vcpu < times.size(); vcpu++) {
      text.append(line("cpu" + vcpu, times.subList(vcpu, vcpu + 1)));
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

  private static String line(String name, List<RunstateTimes> times) {
    long run = ticks(times.stream().mapToLong(RunstateTimes::runningNanos).sum());
    long steal = ticks(times.stream().mapToLong(t -> t.runnableNanos() + t.offlineNanos()).sum());
    long idle = ticks(times.stream().mapToLong(RunstateTimes::blockedNanos).sum());
    long user = run / 3;
    return String.format(
        Locale.ROOT, "%s %d 0 %d %d 0 0 0 %d 0 0\n", name, user, run - user, idle, steal);
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
    return String.format(Locale.ROOT, "%.2f %.2f %.2f 1/120 2101\n", load, load, load);
  }

  private String uptime() {
    double seconds = (driver.now() - since) / 1e9;
    double idle = times().stream().mapToLong(RunstateTimes::blockedNanos).sum() / 1e9;
    return String.format(Locale.ROOT, "%.2f %.2f\n", seconds, idle);
  }

  private static String vmstat() {
    return """
    nr_free_pages 131072
    pgpgin 0
    pgpgout 0
    pswpin 0
    pswpout 0
    pgfault 0
    pgmajfault 0
    """;
  }

  private static String diskstats() {
    return "   8       0 sda 0 0 0 0 0 0 0 0 0 0 0\n   8       1 sda1 0 0 0 0 0 0 0 0 0 0 0\n";
  }
}
