package io.slicewise.sweep;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.host.monitor.Fingerprint;
import io.slicewise.host.monitor.GuestDisks;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.Environment;
import io.slicewise.run.Origin;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads the environment of a run from its host. */
final class HostEnvironment {
  private HostEnvironment() {}

  static Environment read(Experiment experiment, HostSession session, Clock clock) {
    Instant asked = clock.instant();
    CommandResult date = session.shell().run(Command.reading("date", "+%s.%N"));
    double doubt = Duration.between(asked, clock.instant()).toNanos() / 2e6;
    return new Environment(
        asked,
        Origin.of(experiment, vendor(session)),
        session.shell().address(),
        session.host(),
        session.hypervisor().domains(),
        settings(session),
        session.monitor().name(),
        offset(date, asked, doubt),
        doubt,
        Environment.thisMachine(),
        fingerprint(experiment, session));
  }

  /** The facts of the host and of what the workload loads; a run does not fail for want of them. */
  private static Map<String, String> fingerprint(Experiment experiment, HostSession session) {
    Map<String, String> facts = new LinkedHashMap<>(Fingerprint.of(session.shell()));
    if (session.hypervisor().kind().controlDomain().isPresent()) {
      GuestDisks guests =
          GuestDisks.of(
              session.shell(),
              experiment.host().orElseThrow().sudo(),
              Domain.names(session.hypervisor().domains()));
      guests.types().forEach((guest, type) -> facts.put("type of " + guest, type));
      guests.disks().forEach(disk -> facts.put("way of " + disk.name(), disk.way()));
    }
    try {
      facts.putAll(ExperimentWorkload.of(experiment).facts());
    } catch (SlicewiseException unreadable) {
      // Its setting up says why.
      return facts;
    }
    return facts;
  }

  /** The vendor of the host; empty if the machine has no DMI table, or hides it. */
  private static String vendor(HostSession session) {
    CommandResult dmi = session.shell().run(Command.reading("cat", "/sys/class/dmi/id/sys_vendor"));
    return dmi.exitStatus() == 0 ? dmi.standardOutput() : "";
  }

  private static Map<String, SchedulerParameters> settings(HostSession session) {
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    session
        .hypervisor()
        .settings()
        .forEach(setting -> settings.put(setting.target().name(), setting.parameters()));
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
}
