package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.xen.Domain;
import io.slicewise.xen.HostDescription;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
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

  static Environment of(Experiment experiment, HostSession session, Clock clock) {
    Instant asked = clock.instant();
    CommandResult date = session.shell().run(Command.reading("date", "+%s.%N"));
    double doubt = Duration.between(asked, clock.instant()).toNanos() / 2e6;
    return new Environment(
        asked,
        Origin.of(experiment),
        session.shell().address(),
        session.host(),
        session.toolstack().domains(),
        settings(session),
        session.monitor().name(),
        offset(date, asked, doubt),
        doubt,
        thisMachine());
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

  private static Map<String, SchedulerParameters> settings(HostSession session) {
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    session
        .toolstack()
        .settings()
        .forEach(setting -> settings.put(setting.domain().name(), setting.parameters()));
    return settings;
  }

  private static double offset(CommandResult date, Instant asked, double doubt) {
    try {
      double theirs = Double.parseDouble(date.standardOutput().strip()) * 1e3;
      return theirs - (asked.toEpochMilli() + doubt);
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }

  private static Generator thisMachine() {
    return new Generator(
        ThisProcess.machine(),
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"),
        ThisProcess.version(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
  }
}
