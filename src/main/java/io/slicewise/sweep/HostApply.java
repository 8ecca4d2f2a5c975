package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.SettingDifference;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.StorageFault;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.guard.SettingChange;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Sets a run's profile permanently on its host, by the rules of a sweep: the settings found are
 * journalled first, every change before it is sent, and everything is read back. It has a separate
 * journal below the run, so that restoring it undoes only this change and not the run.
 */
public record HostApply(
    RunDirectory run,
    Experiment experiment,
    SchedulerProfile profile,
    Lasting lasting,
    SweepOptions options,
    Clock clock) {
  /** How long the settings last: until a guest's next start, or from then on. */
  public enum Lasting {
    UNTIL_NEXT_START,
    DURABLE
  }

  private static final String DIRECTORY = "applied";

  /**
   * The result of applying a profile.
   *
   * @param directory the directory of its journal, for {@code restore}
   * @param settings that were changed and read back, by domain
   */
  public record Applied(Path directory, Map<String, SchedulerParameters> settings) {}

  /** The directories of profiles applied from a run, oldest first, for {@code restore}. */
  public static List<Path> below(Path run) {
    return RunDirectory.below(run.resolve(DIRECTORY)).stream()
        .sorted(Comparator.comparing(HostApply::begun))
        .toList();
  }

  /** The profiles applied from a run and not undone, oldest first. */
  public static List<RunDirectory> inForce(Path run) {
    return below(run).stream()
        .map(RunDirectory::open)
        .filter(one -> !one.record().touched().isEmpty())
        .toList();
  }

  /** The run from which a profile was applied, if the directory is one of those. */
  public static Optional<Path> origin(Path directory) {
    Path absolute = directory.toAbsolutePath().normalize();
    Path parent = absolute.getParent();
    return parent != null && parent.endsWith(DIRECTORY) && RunDirectory.isOne(parent.getParent())
        ? Optional.of(parent.getParent())
        : Optional.empty();
  }

  /** The start of an application; a process killed before its first line changed nothing. */
  private static Instant begun(Path directory) {
    return RunDirectory.open(directory).events().stream()
        .findFirst()
        .map(JournalEvent::at)
        .orElse(Instant.EPOCH);
  }

  /**
   * Determines the changes, asks for confirmation, and applies them.
   *
   * @param agreed receives the changes and whether files that people edit are written, and decides
   *     whether to send them; not called if there are none
   * @return empty if there was nothing to change, or it was not confirmed
   * @throws SlicewiseException if the host needs another scheduler, is held by another process, or
   *     refused a setting; earlier changes are undone, or reported as not restored
   */
  public Optional<Applied> apply(BiPredicate<List<SettingChange>, Boolean> agreed) {
    HostSpec spec = experiment.namedHost();
    new RunClaim(run, options.adopt()).check();
    try (RemoteShell shell = HostShells.open(spec)) {
      Hypervisor host = HostShells.hypervisor(shell, experiment);
      Hypervisor hypervisor = lasting == Lasting.DURABLE ? host.durable() : host;
      if (hypervisor.setsWhatRuns()) {
        refuseBesideOthers();
      }
      List<SettingChange> changes = changes(hypervisor);
      if (changes.isEmpty() && !options.takeLock()) {
        refuseWhatWillBeRestored(shell);
      }
      return changes.isEmpty() || !agreed.test(changes, hypervisor.writesFiles())
          ? Optional.empty()
          : Optional.of(apply(shell, hypervisor, changes));
    }
  }

  /** What is set until the next start would be taken for what was found, and kept by the undo. */
  private void refuseBesideOthers() {
    inForce(run.root()).stream()
        .findFirst()
        .ifPresent(
            other -> {
              throw refused(
                  "a profile of this run is applied already, and here --durable sets the guests"
                      + " that run as well",
                  "undo it first: slicewise restore " + other.root());
            });
  }

  /** Settings that another run left are not those that stay. */
  private static void refuseWhatWillBeRestored(RemoteShell shell) {
    HostLock.held(shell)
        .ifPresent(
            held -> {
              throw held;
            });
  }

  private List<SettingChange> changes(Hypervisor hypervisor) {
    Map<String, Setting> now = Settable.found(hypervisor);
    SettingsGuard.missingScheduler(hypervisor, experiment, profile, List.copyOf(now.values()))
        .ifPresent(
            needed -> {
              throw refused(
                  profile.name() + " needs the " + needed.xenName() + " scheduler",
                  hypervisor.activation(needed) + "; then apply it again");
            });
    Settable.refusal(hypervisor, experiment, profile, now)
        .ifPresent(
            refusal -> {
              throw refused(refusal.sentence(), refusal.wayOut());
            });
    List<SettingChange> changes = new ArrayList<>();
    for (SettingDifference differing :
        SettingDifference.between(
            Setting.byName(now.values()), experiment.settings(profile), hypervisor::shows)) {
      if (differing.current().isEmpty()) {
        throw refused(
            "%s sets %s, which %s"
                .formatted(
                    profile.name(),
                    differing.domain(),
                    hypervisor.guests().containsKey(differing.domain())
                        ? hypervisor.whyWithoutSettings(differing.domain())
                        : lasting == Lasting.DURABLE
                            ? hypervisor.whyMissing(differing.domain())
                            : "is not running"),
            lasting == Lasting.DURABLE && !hypervisor.setsWhatRuns()
                ? "correct its name or its definition"
                : "start it first");
      }

      Setting current = now.get(differing.domain());
      changes.add(
          SettingChange.of(hypervisor, current.target(), current.parameters(), differing.wanted()));
    }
    return changes;
  }

  private Path shelf() {
    Path shelf = run.root().resolve(DIRECTORY);
    try {
      return Files.isDirectory(shelf) ? shelf : OwnerOnly.createDirectory(shelf);
    } catch (IOException fault) {
      throw StorageFault.of("cannot create " + shelf, fault);
    }
  }

  private Applied apply(RemoteShell shell, Hypervisor hypervisor, List<SettingChange> changes) {
    RunDirectory own =
        RunDirectory.begin(
            shelf(), SchedulerProfile.fileName(profile.name()), experiment, clock.instant());
    Map<String, SchedulerParameters> changed = new LinkedHashMap<>();
    try {
      Map<String, SchedulerParameters> settings = apply(own, shell, hypervisor);
      changes.forEach(change -> changed.put(change.domain(), settings.get(change.domain())));
      return new Applied(own.root(), changed);
    } catch (RuntimeException | Error fault) {
      if (own.began().isEmpty()) {
        own.discard();
      }
      throw fault;
    }
  }

  private Map<String, SchedulerParameters> apply(
      RunDirectory own, RemoteShell shell, Hypervisor hypervisor) {
    try (RunLock ours = RunLock.take(own.root());
        Journal journal = Journal.open(own.journalFile());
        HostLock lock = HostLock.take(shell, experiment, own, options)) {
      journal.append(ThisProcess.takesUpRun(clock, shell.address()));
      if (lasting == Lasting.DURABLE) {
        journal.append(new JournalEvent.Durable(clock.instant()));
      }
      SettingsGuard guard =
          new SettingsGuard(hypervisor, journal, own.record(), clock, Optional.empty());
      guard.rememberFound();
      Map<String, SchedulerParameters> settings = apply(own, guard);
      String sentence =
          "profile "
              + profile.name()
              + (lasting == Lasting.DURABLE ? " kept for the next starts" : " applied")
              + "; undo: slicewise restore "
              + own.root();
      journal.append(new JournalEvent.RunEnded(clock.instant(), RunState.DONE, sentence));
      return settings;
    }
  }

  /** Applies the whole profile or nothing: on any failure, changes are undone. */
  private Map<String, SchedulerParameters> apply(RunDirectory own, SettingsGuard guard) {
    try {
      return guard.apply(experiment, profile);
    } catch (RuntimeException fault) {
      if (putBack(guard, fault)) {
        throw refused(fault.getMessage(), "all changes are undone; nothing is applied");
      }
      throw new SlicewiseException(
          ErrorKind.NOT_RESTORED,
          "applying failed (" + fault.getMessage() + "), and the host is not restored",
          "slicewise restore " + own.root(),
          fault);
    }
  }

  private static boolean putBack(SettingsGuard guard, RuntimeException fault) {
    try {
      return guard.restore(false).complete();
    } catch (RuntimeException again) {
      fault.addSuppressed(again);
      return false;
    }
  }

  private static SlicewiseException refused(String message, String hint) {
    return new SlicewiseException(ErrorKind.NOT_READY, message, hint);
  }
}
