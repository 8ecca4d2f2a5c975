package io.slicewise.run;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.journal.ThisProcess;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The environment of a run: the content of {@code environment.json}.
 *
 * @param origin where the run's numbers come from
 * @param settings of all domains, as the run found them when it started or was resumed
 * @param fingerprint facts about the host's CPU, kernel, memory and disks, by name
 */
public record Environment(
    Instant at,
    Origin origin,
    String address,
    HostDescription host,
    List<Domain> domains,
    Map<String, SchedulerParameters> settings,
    @JsonUnwrapped Monitoring monitoring,
    Generator generator,
    Map<String, String> fingerprint) {
  public Environment {
    fingerprint = Collections.unmodifiableMap(new TreeMap<>(fingerprint));
  }

  /**
   * How the host's domains were watched.
   *
   * @param clockOffsetMillis the offset of the host's clock from this machine's, {@code NaN} if
   *     unknown
   * @param clockDoubtMillis half the round-trip time of the query: the possible error of the offset
   */
  public record Monitoring(String monitor, double clockOffsetMillis, double clockDoubtMillis) {
    /** By a monitor of another clock, or of none. */
    Monitoring(String monitor) {
      this(monitor, Double.NaN, Double.NaN);
    }
  }

  /** The machine of the load generator. */
  public record Generator(
      String machine,
      String system,
      int cores,
      String java,
      String slicewise,
      double loadAverage) {}

  /** The identity of the host, to recognize it on another night. */
  public HostIdentity identity() {
    return HostIdentity.of(this);
  }

  /** Returns the environment of a run whose trials were computed on this machine. */
  public static Environment computed(
      Instant at,
      Origin origin,
      HostDescription host,
      List<Domain> domains,
      Map<String, SchedulerParameters> settings) {
    return new Environment(
        at,
        origin,
        "none",
        host,
        domains,
        settings,
        new Monitoring("sim"),
        thisMachine(),
        Map.of());
  }

  /**
   * Returns the environment of a run whose trials were measured elsewhere, on a host that is only
   * described.
   */
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
        new Monitoring(monitor),
        thisMachine(),
        Map.of());
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
