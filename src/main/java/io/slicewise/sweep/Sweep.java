package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Defaults;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.run.Design;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLoader;
import io.slicewise.run.RunLock;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.RunRepair;
import io.slicewise.run.StopFile;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.DeadMan;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TrialSource;
import io.slicewise.sweep.window.HostSession;
import io.slicewise.sweep.window.Sitting;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the remaining trials of an experiment and restores the host.
 *
 * <p>New and resumed runs work in the same way: read the journal, run what is not finished.
 */
public final class Sweep {
  private final Sitting sitting;
  private final boolean fresh;
  private final TrialSource source;

  private Sweep(Sitting sitting, boolean fresh, TrialSource source) {
    this.sitting = sitting;
    this.fresh = fresh;
    this.source = source;
  }

  /** Begins a new run of the experiment, in a new directory below {@code results}. */
  public static Sweep begin(
      Experiment written,
      Path results,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    Experiment experiment = written.drawn();
    experiment.workload().refuseWrittenSecrets();
    RunDirectory run = RunDirectory.begin(results, experiment.name(), experiment, clock.instant());
    return new Sweep(
        new Sitting(experiment, run, options, listener, stop, generator, clock),
        true,
        TrialSource.of(experiment));
  }

  /** Returns the rest of an earlier run. The experiment may have another address of the host. */
  public static Sweep resume(
      RunDirectory run,
      Experiment written,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    Experiment experiment =
        written.seed() == Defaults.UNDRAWN
            ? written.seeded(ExperimentFiles.read(run.experimentFile()).seed())
            : written;
    return new Sweep(
        new Sitting(experiment, run, options, listener, stop, generator, clock),
        false,
        TrialSource.of(experiment));
  }

  /** Returns this sweep with another source of trials. */
  public Sweep from(TrialSource other) {
    return new Sweep(sitting, fresh, other);
  }

  public RunDirectory run() {
    return sitting.run();
  }

  /**
   * Runs until it is done, interrupted, or stopped by a failure. The host is restored in every case
   * in which it is reachable.
   *
   * <p>A run that is refused before it began leaves no directory.
   *
   * @throws SlicewiseException if the run could not start: locks, no host in the experiment, or an
   *     experiment that differs from that of its finished trials; or if the host could not be
   *     restored after a failure
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached to begin with
   */
  public RunOutcome execute() {
    try {
      return work();
    } catch (RuntimeException | Error refused) {
      discardUnlessBegun(refused);
      throw refused;
    }
  }

  private void discardUnlessBegun(Throwable refused) {
    try {
      boolean there = Files.exists(sitting.run().journalFile());
      if (fresh && there && sitting.run().began().isEmpty()) {
        sitting.run().discard();
      }
    } catch (RuntimeException kept) {
      refused.addSuppressed(kept);
    }
  }

  private RunOutcome work() {
    LoadGenerators.check(sitting.experiment());
    RunClaim claim = new RunClaim(sitting.run(), sitting.options().adopt());
    claim.check();
    QuietMachine quiet = QuietMachine.of(sitting);
    try (RunLock ours = RunLock.take(sitting.run().root());
        StopFile asked = StopFile.of(sitting.run(), sitting.stop());
        Journal journal = openJournal(claim);
        HostSession session = new HostStart(sitting).open();
        HostLock lock =
            HostLock.take(session.shell(), sitting.experiment(), sitting.run(), sitting.options());
        DeadMan deadMan =
            new DeadMan(
                session.shell(),
                sitting.experiment().namedHost(),
                lock,
                sitting.run(),
                sitting.clock(),
                sitting::notice)) {
      refuseAnotherPlan();
      refuseAnotherDesign();
      keepBounds();
      SweepRunner runner = new SweepRunner(sitting, source, session, lock, deadMan, journal, quiet);
      boolean undone = runner.undoEarlier();
      Settable.check(sitting.experiment(), session.hypervisor(), session.shell().address(), undone);
      source.judgedBy(Settable.judge(session.hypervisor(), sitting.experiment()));
      session.removeLeftDirectories(sitting.run()).forEach(sitting::notice);
      quiet.awaitStart();
      return runner.run();
    }
  }

  /**
   * Opens the journal and records that damaged trials no longer count, so they run again.
   *
   * @throws SlicewiseException if the journal cannot be trusted about the host's settings
   */
  private Journal openJournal(RunClaim claim) {
    LoadedRun loaded = RunLoader.loadOwn(sitting.run());
    if (loaded.settingsInDoubt()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged: %s"
              .formatted(sitting.run().root(), String.join("; ", loaded.sentences())),
          "slicewise check --repair %s rebuilds its journal; slicewise restore --trust-damaged %s "
                  .formatted(sitting.run().root(), sitting.run().root())
              + "restores the host from the valid part; then resume it");
    }
    loaded.sentences().forEach(sitting::notice);
    Journal journal = Journal.open(sitting.run().journalFile());
    try {
      claim.settle(journal, sitting.clock());
      RunRepair.lost(sitting.run(), loaded, sitting.clock()).forEach(journal::append);
      return journal;
    } catch (RuntimeException | Error fault) {
      journal.close();
      throw fault;
    }
  }

  /** Rejects a plan in which a finished trial's number belongs to another trial. */
  private void refuseAnotherPlan() {
    Map<Integer, Trial> plan = new HashMap<>();
    for (PlannedTrial one : source.possible(TrialHistory.planned(sitting.run().record()))) {
      plan.put(one.trial().number(), one.trial());
    }
    for (JournalEvent event : sitting.run().events()) {
      if (event instanceof JournalEvent.TrialFinished finished
          && !Optional.ofNullable(plan.get(finished.trial()))
              .filter(trial -> isAttempt(trial, finished.slug()))
              .isPresent()) {
        throw SlicewiseException.input(
            "%s was edited: trial %s finished as %s, which is no longer in the plan there"
                .formatted(sitting.run().experimentFile(), finished.trial(), finished.slug()),
            "undo the edit, or begin a new run; only 'repetitions' may grow");
      }
    }
  }

  /** Rejects a changed design: finished trials and remaining ones would not be comparable. */
  private void refuseAnotherDesign() {
    boolean begun =
        sitting.run().events().stream().anyMatch(JournalEvent.TrialFinished.class::isInstance);
    List<String> broken =
        sitting
            .run()
            .design()
            .filter(kept -> begun)
            .map(kept -> kept.brokenBy(Design.of(sitting.experiment())))
            .orElse(List.of());
    if (!broken.isEmpty()) {
      throw SlicewiseException.input(
          sitting.run().experimentFile()
              + " was edited since trials finished: "
              + String.join("; ", broken)
              + "; they would not be comparable with the remaining trials",
          "undo the edit, or begin a new run; 'repetitions' may grow without a 'stop', and the bounds"
              + " of pairs (at-most, harm, hours, not-during) may change");
    }
  }

  /** Keeps new bounds of a study that goes on: where it ends is no part of its question. */
  private void keepBounds() {
    boolean changed =
        !fresh
            && sitting.experiment().pairs().isPresent()
            && !ExperimentFiles.read(sitting.run().experimentFile())
                .pairs()
                .equals(sitting.experiment().pairs());
    if (changed) {
      sitting.run().writeExperiment(sitting.experiment());
    }
  }

  private static boolean isAttempt(Trial trial, String slug) {
    return slug.equals(trial.slug()) || slug.startsWith(trial.slug() + "-try");
  }

  /**
   * Opens the host at the start of a run. A slow host, or one that drops the connection, gets the
   * same patience as later; an unreachable host usually means a wrong address and is reported at
   * once.
   */
  private record HostStart(Sitting sitting) {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    HostSession open() {
      Duration patience = sitting.options().hostPatience();
      Instant deadline = sitting.now().plus(patience);
      while (true) {
        try {
          return HostSession.open(sitting.experiment(), sitting.run());
        } catch (RemoteShellException fault) {
          if (!mayPass(fault) || !sitting.now().plus(PAUSE).isBefore(deadline)) {
            throw fault;
          }
          sitting.notice(
              "%s Trying again for up to %s."
                  .formatted(HostWatch.describe(fault), DurationText.of(patience)));
          pause(sitting.experiment().namedHost());
        }
      }
    }

    private static boolean mayPass(RemoteShellException fault) {
      return switch (fault.kind()) {
        case TIMED_OUT, CONNECTION_LOST -> true;
        default -> false;
      };
    }

    private void pause(HostSpec spec) {
      try {
        sitting.stop().restUntil(sitting.now().plus(PAUSE));
      } catch (StopRequest.StoppedNow now) {
        throw interrupted(spec);
      }
      if (!sitting.goesOn()) {
        throw interrupted(spec);
      }
    }

    private SlicewiseException interrupted(HostSpec spec) {
      boolean changed = sitting.run().record().leavesHostChanged();
      return new SlicewiseException(
          ErrorKind.INTERRUPTED,
          "interrupted while waiting for %s; %s"
              .formatted(
                  spec.address(),
                  changed ? "what this run changed before is still set" : "nothing was changed"),
          changed ? "slicewise resume or restore " + sitting.run().root() : "");
    }
  }
}
