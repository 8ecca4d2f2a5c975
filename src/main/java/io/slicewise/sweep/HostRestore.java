package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.Journal;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.RunRecord;
import io.slicewise.ssh.RemoteShell;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

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
   * @throws io.slicewise.base.units.SlicewiseException with {@code LOCKED} if another process has
   *     it
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   * @throws io.slicewise.host.HypervisorException if its toolstack cannot be understood
   */
  public static Receipt restore(
      RunDirectory run, Experiment experiment, SweepOptions options, Clock clock) {
    HostSpec spec = Sweep.hostOf(experiment);
    RunClaim claim = new RunClaim(run, options.adopt());
    claim.check();
    LoadedRun loaded = run.load();
    refuseDoubt(loaded, options);
    try (RunLock ours = RunLock.take(run.root());
        Journal journal = Journal.open(run.journalFile());
        RemoteShell shell = HostShells.open(spec)) {
      claim.settle(journal, clock);
      try (HostLock lock = HostLock.take(shell, experiment, run, options)) {
        Hypervisor hypervisor = HostShells.hypervisor(shell, spec);
        SettingsGuard guard = new SettingsGuard(hypervisor, journal, run.record(), clock);
        SettingsGuard.Restoration restoration = guard.restore();
        noteTrusted(loaded, restoration, journal, clock);
        List<String> notices = new ArrayList<>(restoration.notices());
        notices.addAll(removeLeft(shell, spec, run));
        return new Receipt(
            run, restoration.restored(), restoration.complaints(), restoration.gone(), notices);
      }
    }
  }

  /** Lines that are missing may be those that say what was changed, and what it was before. */
  private static void refuseDoubt(LoadedRun loaded, SweepOptions options) {
    if (loaded.settingsInDoubt() && !options.trustDamaged()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged: %s; nothing was restored"
              .formatted(loaded.directory().root(), String.join("; ", loaded.sentences())),
          "by its sound lines, %s; --trust-damaged does that"
              .formatted(intention(loaded.record())));
    }
  }

  private static String intention(RunRecord record) {
    return record.touched().isEmpty()
        ? "nothing is to be restored"
        : record.touched().stream()
            .map(domain -> "%s gets back %s".formatted(domain, foundFor(record, domain)))
            .collect(Collectors.joining(", "));
  }

  private static String foundFor(RunRecord record, String domain) {
    return record.found().values().stream()
        .flatMap(settings -> Optional.ofNullable(settings.get(domain)).stream())
        .map(ParametersText::of)
        .findFirst()
        .orElse("nothing, since what it had is not known");
  }

  /** The user's word ends the doubt, also where there was nothing to put back. */
  private static void noteTrusted(
      LoadedRun loaded, SettingsGuard.Restoration restoration, Journal journal, Clock clock) {
    boolean unwritten = restoration.restored().isEmpty() && restoration.complaints().isEmpty();
    if (loaded.settingsInDoubt() && unwritten) {
      journal.append(new JournalEvent.Restored(clock.instant(), Map.of(), Map.of()));
    }
  }

  private static List<String> removeLeft(RemoteShell shell, HostSpec spec, RunDirectory run) {
    try {
      return Monitors.removeLeft(shell, spec.sudo(), RunDirectory.ids(run.events())).stream()
          .map("removed %s, which a killed process of this run left"::formatted)
          .toList();
    } catch (SlicewiseException kept) {
      return List.of(kept.getMessage());
    }
  }
}
