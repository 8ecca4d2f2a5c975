package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.run.Design;
import io.slicewise.run.Journal;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunClaim;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLoader;
import io.slicewise.run.RunLock;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.RunRepair;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.sweep.source.TrialHistory;
import io.slicewise.sweep.source.TrialSource;
import io.slicewise.sweep.source.TrialSources;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs the trials of an experiment that are still to be run, and leaves the host as it was found.
 *
 * <p>A first run and a resumed one are the same thing: read the journal, run what is not finished.
 */
public final class Sweep {
  private final RunDirectory run;
  private final boolean fresh;
  private final Experiment experiment;
  private final SweepOptions options;
  private final SweepListener listener;
  private final StopRequest stop;
  private final LoadGenerator generator;
  private final Clock clock;
  private final TrialSource source;

  private Sweep(
      RunDirectory run,
      boolean fresh,
      Experiment experiment,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock,
      TrialSource source) {
    this.run = run;
    this.fresh = fresh;
    this.experiment = experiment;
    this.options = options;
    this.listener = listener;
    this.stop = stop;
    this.generator = generator;
    this.clock = clock;
    this.source = source;
  }

  /** A new run of the experiment, in a new directory below {@code results}. */
  public static Sweep begin(
      Experiment experiment,
      Path results,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    experiment.workload().refuseWrittenSecrets();
    RunDirectory run = RunDirectory.begin(results, experiment.name(), experiment, clock.instant());
    return new Sweep(
        run,
        true,
        experiment,
        options,
        listener,
        stop,
        generator,
        clock,
        TrialSources.of(experiment));
  }

  /**
   * The rest of a run that was begun before. The experiment may name another address of the host.
   */
  public static Sweep resume(
      RunDirectory run,
      Experiment experiment,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock) {
    return new Sweep(
        run,
        false,
        experiment,
        options,
        listener,
        stop,
        generator,
        clock,
        TrialSources.of(experiment));
  }

  /** Returns this sweep with another source of trials than the experiment asks for. */
  public Sweep from(TrialSource other) {
    return new Sweep(run, fresh, experiment, options, listener, stop, generator, clock, other);
  }

  public RunDirectory run() {
    return run;
  }

  /**
   * Runs to an end: done, interrupted, or stopped by what cannot be helped. The host is restored on
   * every way out that still can reach it.
   *
   * <p>A run that is refused before it began leaves no directory behind.
   *
   * @throws SlicewiseException if the run could not start: locks, no host in the experiment, or an
   *     experiment that is not the one its finished trials were of; or if the host could not be
   *     restored after a fault
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
      if (fresh && run.began().isEmpty()) {
        run.discard();
      }
    } catch (RuntimeException kept) {
      refused.addSuppressed(kept);
    }
  }

  private RunOutcome work() {
    RunClaim claim = new RunClaim(run, options.adopt());
    claim.check();
    try (RunLock ours = RunLock.take(run.root());
        Journal journal = openJournal(claim);
        HostSession session = start().open(hostOf(experiment), run);
        HostLock lock = HostLock.take(session.shell(), experiment, run, options)) {
      refuseAnotherPlan();
      refuseAnotherDesign();
      Settable.check(experiment, session);
      session.removeLeftDirectories(run).forEach(listener::notice);
      return new SweepRunner(
              experiment,
              run,
              source,
              options,
              listener,
              stop,
              generator,
              clock,
              session,
              lock,
              journal)
          .run();
    }
  }

  /**
   * The journal, which from here on says that damaged trials count no more: they run again.
   *
   * @throws SlicewiseException if the journal cannot be trusted about the host's settings
   */
  private Journal openJournal(RunClaim claim) {
    LoadedRun loaded = RunLoader.loadOwn(run);
    if (loaded.settingsInDoubt()) {
      throw new SlicewiseException(
          ErrorKind.DAMAGED,
          "%s is damaged: %s".formatted(run.root(), String.join("; ", loaded.sentences())),
          "slicewise check --repair %s rebuilds its journal; slicewise restore --trust-damaged %s "
                  .formatted(run.root(), run.root())
              + "restores the host from what is sound; then resume it");
    }
    loaded.sentences().forEach(listener::notice);
    Journal journal = Journal.open(run.journalFile());
    try {
      claim.settle(journal, clock);
      RunRepair.lost(run, loaded, clock).forEach(journal::append);
      return journal;
    } catch (RuntimeException | Error fault) {
      journal.close();
      throw fault;
    }
  }

  private HostStart start() {
    return new HostStart(options.hostPatience(), stop, clock, listener);
  }

  /** A finished trial must be the plan's of that number, else its result would count as another. */
  private void refuseAnotherPlan() {
    Map<Integer, Trial> plan = new HashMap<>();
    source
        .next(TrialHistory.planned(run.record()))
        .open()
        .forEach(one -> plan.put(one.trial().number(), one.trial()));
    for (JournalEvent event : run.events()) {
      if (event instanceof JournalEvent.TrialFinished finished
          && !Optional.ofNullable(plan.get(finished.trial()))
              .filter(trial -> isAttempt(trial, finished.slug()))
              .isPresent()) {
        throw new SlicewiseException(
            ErrorKind.INPUT,
            run.experimentFile()
                + " was edited: trial "
                + finished.trial()
                + " finished as "
                + finished.slug()
                + ", which the plan no longer has there",
            "undo the edit, or begin a new run; only 'repetitions' may grow");
      }
    }
  }

  /** Trials that finished stand beside those to come as if nothing had changed between them. */
  private void refuseAnotherDesign() {
    boolean begun = run.events().stream().anyMatch(JournalEvent.TrialFinished.class::isInstance);
    List<String> broken =
        run.design()
            .filter(kept -> begun)
            .map(kept -> kept.brokenBy(Design.of(experiment)))
            .orElse(List.of());
    if (!broken.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          run.experimentFile()
              + " was edited since trials finished: "
              + String.join("; ", broken)
              + "; they would stand beside the others as if nothing had changed",
          "undo the edit, or begin a new run; 'repetitions' may grow where there is no 'stop'");
    }
  }

  private static boolean isAttempt(Trial trial, String slug) {
    return slug.equals(trial.slug()) || slug.startsWith(trial.slug() + "-try");
  }

  static HostSpec hostOf(Experiment experiment) {
    return experiment
        .host()
        .orElseThrow(
            () ->
                new SlicewiseException(
                    ErrorKind.INPUT,
                    "experiment " + experiment.name() + " names no host",
                    "add host: {address: ...}, or lab: {} to run on the embedded lab"));
  }
}
