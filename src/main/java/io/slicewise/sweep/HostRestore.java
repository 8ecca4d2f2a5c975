package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerParameters;
import java.time.Clock;
import java.util.Map;

/** Puts a host back as a killed run found it, from the run's journal alone. */
public final class HostRestore {
  private HostRestore() {}

  /**
   * What was put back and what could not be.
   *
   * @param restored settings read back, by domain; empty when nothing of the run was left on the
   *     host
   * @param complaints by domain, why it could not be put back
   */
  public record Receipt(
      RunDirectory run,
      Map<String, SchedulerParameters> restored,
      Map<String, String> complaints) {}

  /**
   * Restores the host of one run.
   *
   * @param experiment the run's own, or the same on another address of the host
   */
  public static Receipt restore(
      RunDirectory run, Experiment experiment, SweepOptions options, Clock clock) {
    try (RunLock ours = RunLock.take(run.root());
        HostSession session = HostSession.open(Sweep.hostOf(experiment));
        HostLock lock = HostLock.take(session.shell(), experiment, run, options);
        Journal journal = Journal.open(run.journalFile())) {
      SettingsGuard guard = new SettingsGuard(session.toolstack(), journal, run.record(), clock);
      SettingsGuard.Restoration restoration = guard.restore();
      return new Receipt(run, restoration.restored(), restoration.complaints());
    }
  }
}
