package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.xen.Toolstack;
import java.time.Clock;
import java.util.List;
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
   * @param gone by domain, why there is nothing to put back: changed guests that no longer run
   * @param notices what else went wrong, in sentences: a journal that could not be written
   */
  public record Receipt(
      RunDirectory run,
      Map<String, SchedulerParameters> restored,
      Map<String, String> complaints,
      Map<String, String> gone,
      List<String> notices) {}

  /**
   * Restores the host of one run.
   *
   * @param experiment the run's own, or the same on another address of the host
   * @throws io.slicewise.units.SlicewiseException with {@code LOCKED} if another process has it
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   * @throws io.slicewise.xen.XenException if its toolstack cannot be understood
   */
  public static Receipt restore(
      RunDirectory run, Experiment experiment, SweepOptions options, Clock clock) {
    HostSpec spec = Sweep.hostOf(experiment);
    try (RunLock ours = RunLock.take(run.root());
        RemoteShell shell = HostShells.open(spec);
        HostLock lock = HostLock.take(shell, experiment, run, options);
        Journal journal = Journal.open(run.journalFile())) {
      Toolstack toolstack = HostShells.toolstack(shell, spec);
      SettingsGuard guard = new SettingsGuard(toolstack, journal, run.record(), clock);
      SettingsGuard.Restoration restoration = guard.restore();
      return new Receipt(
          run,
          restoration.restored(),
          restoration.complaints(),
          restoration.gone(),
          restoration.notices());
    }
  }
}
