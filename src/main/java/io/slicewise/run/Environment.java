package io.slicewise.run;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.profile.SchedulerParameters;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What a run ran on: the content of {@code environment.json}.
 *
 * @param origin where the run's numbers come from
 * @param settings of all domains, as the run found them when it started or was resumed
 * @param clockOffsetMillis the host's clock minus ours, {@code NaN} if the host does not tell
 * @param clockDoubtMillis half the round trip of the question: the offset may be off by as much
 */
public record Environment(
    Instant at,
    Origin origin,
    String address,
    HostDescription host,
    List<Domain> domains,
    Map<String, SchedulerParameters> settings,
    String monitor,
    double clockOffsetMillis,
    double clockDoubtMillis,
    Generator generator) {

  /** The machine that makes the load. */
  public record Generator(
      String machine,
      String system,
      int cores,
      String java,
      String slicewise,
      double loadAverage) {}

  /** What makes it the same host on another night. */
  public HostIdentity identity() {
    return HostIdentity.of(this);
  }

  /** Of a run whose trials were computed on this machine and measured nowhere. */
  public static Environment computed(
      Instant at,
      Origin origin,
      HostDescription host,
      List<Domain> domains,
      Map<String, SchedulerParameters> settings) {
    return new Environment(
        at, origin, "none", host, domains, settings, "sim", Double.NaN, Double.NaN, thisMachine());
  }

  /** Of a run whose trials were measured elsewhere, on a host known by what is told of it. */
  public static Environment imported(
      Instant at,
      Origin origin,
      String address,
      HostDescription host,
      List<Domain> domains,
      String monitor) {
    return new Environment(
        at,
        origin,
        address,
        host,
        domains,
        Map.of(),
        monitor,
        Double.NaN,
        Double.NaN,
        thisMachine());
  }

  /** Returns a description of the machine that this process runs on. */
  public static Generator thisMachine() {
    return new Generator(
        ThisProcess.machine(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        ThisProcess.version(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
