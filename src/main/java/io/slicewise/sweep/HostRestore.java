package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.monitor.Monitors;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.RunRecord;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.DeadMan;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.guard.SweepOptions;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Restores a host after a killed run, using only the run's journal. */
public final class HostRestore {
  private HostRestore() {}

  /**
   * The result of a restore.
   *
   * @param restored verified settings, by domain; empty if nothing of the run was left on the host
   * @param complaints by domain, why it could not be restored
   * @param gone by domain, why there is nothing to restore: changed guests that no longer run
   * @param foreign by domain, what someone else set since and was left, each with a sentence
   * @param notices other problems, in sentences, such as a journal that could not be written
   */
  public record Receipt(
      RunDirectory run,
      Map<String, SchedulerParameters> restored,
      Map<String, String> complaints,
      Map<String, String> gone,
      Map<String, String> foreign,
      List<String> notices) {}

  /**
   * Restores the host of one run.
   *
   * @param experiment the run's own, or the same on another address of the host
   * @throws io.slicewise.base.units.SlicewiseException with {@code LOCKED} if another process has
   *     the lock
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   * @throws io.slicewise.host.HypervisorException if its toolstack cannot be understood
   */
  public static Receipt restore(
      RunDirectory run, Experiment experiment, SweepOptions options, Clock clock) {
    HostSpec spec = experiment.namedHost();
    RunClaim claim = new RunClaim(run, options.adopt());
    claim.check();
    LoadedRun loaded = run.load();
    refuseDoubt(loaded, options);
    try (RunLock ours = RunLock.take(run.root());
        Journal journal = Journal.open(run.journalFile());
        RemoteShell shell = HostShells.recorded(spec, run)) {
      claim.settle(journal, clock);
      List<String> notices = new ArrayList<>();
      try (HostLock lock = HostLock.take(shell, experiment, run, options);
          DeadMan deadMan = new DeadMan(shell, spec, lock, run, clock, notices::add)) {
        Hypervisor host = HostShells.hypervisor(shell, experiment);
        Hypervisor hypervisor =
            JournalEvent.of(run.events(), JournalEvent.Durable.class).findAny().isPresent()
                ? host.durable()
                : host;
        SettingsGuard guard =
            new SettingsGuard(hypervisor, journal, run.record(), clock, Optional.of(deadMan));
        guard.collectSwitches();
        SettingsGuard.Restoration restoration = guard.restore(options.force());
        if (restoration.complete()) {
          guard.endSwitches();
        }
        noteTrusted(loaded, restoration, journal, clock);
        notices.addAll(restoration.notices());
        notices.addAll(removeLeft(shell, spec, run));
        return new Receipt(
            run,
            restoration.restored(),
            restoration.complaints(),
            restoration.gone(),
            restoration.foreign(),
            notices);
      }
    }
  }

  /** Refuses damaged journals: missing lines may be those with changes and original settings. */
  private static void refuseDoubt(LoadedRun loaded, SweepOptions options) {
    if (loaded.settingsInDoubt() && !options.trustDamaged()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged: %s; nothing was restored"
              .formatted(loaded.directory().root(), String.join("; ", loaded.sentences())),
          "by its valid lines, %s; --trust-damaged does that"
              .formatted(intention(loaded.record())));
    }
  }

  private static String intention(RunRecord record) {
    return record.touched().isEmpty()
        ? "nothing needs to be restored"
        : record.touched().stream()
            .map(domain -> "%s is restored to %s".formatted(domain, foundFor(record, domain)))
            .collect(Collectors.joining(", "));
  }

  private static String foundFor(RunRecord record, String domain) {
    return record.found().values().stream()
        .flatMap(settings -> Optional.ofNullable(settings.get(domain)).stream())
        .map(ParametersText::of)
        .findFirst()
        .orElse("nothing, because the original settings are unknown");
  }

  /** Records that the user trusts the damaged journal, even if there was nothing to restore. */
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
          .map("removed %s, left by a killed process of this run"::formatted)
          .toList();
    } catch (SlicewiseException kept) {
      return List.of(kept.getMessage());
    }
  }
}
