package io.slicewise.sweep;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HostState;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.PlannedTrial;
import io.slicewise.run.Surroundings;
import io.slicewise.run.SweepListener;
import io.slicewise.run.TrialFault;
import io.slicewise.run.TrialHost;
import io.slicewise.run.TrialLoad;
import io.slicewise.run.TrialResult;
import io.slicewise.run.TrialRules;
import io.slicewise.run.TrialTimes;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import io.slicewise.sweep.outcome.Outcomes;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Runs one trial from applying its profile to its result. Writes the raw logs to the trial's
 * directory; the caller writes the journal and {@code trial.json}.
 */
record TrialRunner(Sitting sitting, HostSession session, SettingsGuard guard, Workload workload) {
  /**
   * Runs the trial. A workload that cannot be set up or torn down fails it, because the next trial
   * would start from another state; any other failure of the clean-up is a warning.
   *
   * @param prepared the prepared generator; empty if nothing is loaded
   * @param windowOver called as soon as the measured window has ended, before anything is
   *     collected; its failures do not affect this trial
   */
  TrialResult run(
      PlannedTrial planned, Path directory, Optional<PreparedLoad> prepared, Runnable windowOver) {
    Trial trial = planned.trial();
    StepTimer steps = new StepTimer(sitting.clock(), sitting.listener(), trial);
    steps.enter(SweepListener.Step.APPLY, Duration.ZERO);
    Map<String, SchedulerParameters> applied = guard.apply(sitting.experiment(), planned.profile());
    steps.enter(SweepListener.Step.SET_UP, Duration.ZERO);
    CleanUp cleanUp = new CleanUp();
    Workload beside = trial.load().under(workload);
    Setting setting = new Setting(trial, beside, directory, windowOver, steps, cleanUp);
    TrialResult result = tornDown(setting, () -> loaded(setting, prepared, applied));
    return result.withRemarks(cleanUp.warnings()).withStepSeconds(steps.seconds());
  }

  /**
   * Runs the work and the tear-down; a failure of the tear-down counts unless the trial itself
   * failed.
   */
  private TrialResult tornDown(Setting setting, Supplier<TrialResult> work) {
    CleanUp tearDown = new CleanUp();
    TrialResult result =
        tearDown.runAndClean(
            work,
            "tearing the workload down",
            () -> {
              setting.steps().enter(SweepListener.Step.TEAR_DOWN, Duration.ZERO);
              setting.workload().tearDown();
            });
    if (!tearDown.warnings().isEmpty()) {
      throw new TrialFault(String.join("; ", tearDown.warnings()));
    }
    return result;
  }

  /** The parameters of all steps of a trial. */
  private record Setting(
      Trial trial,
      Workload workload,
      Path directory,
      Runnable windowOver,
      StepTimer steps,
      CleanUp cleanUp) {}

  private TrialResult loaded(
      Setting setting, Optional<PreparedLoad> prepared, Map<String, SchedulerParameters> applied) {
    ExperimentWorkload.setUp(setting.workload());
    HostState before = guard.sinceStart(session.hypervisor().state());
    Watches watches =
        new Watches(
            session.observers(sitting.experiment().measuresWork()),
            setting.directory(),
            sitting.clock());
    Recorded recorded =
        sitting.experiment().measuresWork()
            ? work(setting, prepared, watches).ofItsWork(sitting.experiment().measure())
            : timed(setting, prepared, watches);
    TrialLoad load = recorded.outcome().in(recorded.window());
    Map<String, SchedulerParameters> after = guard.readAgain(applied);
    TrialResult result =
        new TrialResult(
            setting.trial(),
            new TrialTimes(recorded.warmUp(), recorded.window(), setting.steps().seconds()),
            new TrialHost(
                session.host().pcpus(),
                applied,
                after,
                Optional.of(new Surroundings(before, session.hypervisor().state())),
                recorded.machine().labLatenessMillis(),
                recorded.machine().otherWorkShare()),
            load,
            recorded.observations());
    return result.judged(TrialRules.judge(sitting.experiment(), result));
  }

  private Recorded timed(Setting setting, Optional<PreparedLoad> prepared, Watches watches) {
    Optional<RunningLoad> begun = prepared.map(PreparedLoad::begin);
    Outcomes outcomes = Outcomes.of(setting.workload(), begun);
    return setting
        .cleanUp()
        .runAndClean(
            () -> measure(setting, begun, outcomes, watches), "ending the load", outcomes::close);
  }

  /** Observes the load from before its first request until its users have done their work. */
  private Recorded work(Setting setting, Optional<PreparedLoad> prepared, Watches watches) {
    prepared.ifPresent(PreparedLoad::awaitReady);
    return setting
        .cleanUp()
        .runAndClean(
            () -> {
              Instant began = sitting.now();
              Instant latest = began.plus(sitting.experiment().measure());
              watches.begin(latest);
              Strain strain = Strain.atBeginning(session.shell(), sitting.experiment());
              Optional<RunningLoad> load = prepared.map(PreparedLoad::begin);
              Outcomes outcomes = Outcomes.of(setting.workload(), load);
              outcomes.begin(sitting.experiment().measure(), setting.directory());
              setting.steps().enter(SweepListener.Step.MEASURE, sitting.experiment().measure());
              followed(load).done(latest, setting.trial(), SweepListener.Step.MEASURE);
              return over(
                  setting,
                  outcomes,
                  watches,
                  began,
                  MeasuredWindow.ended(sitting, watches, strain, began));
            },
            "ending the observers",
            watches::close);
  }

  private Recorded measure(
      Setting setting, Optional<RunningLoad> load, Outcomes outcomes, Watches watches) {
    Instant warmUpStart = sitting.now();
    Instant windowStart = warmUpStart.plus(sitting.experiment().warmUp());
    Window planned = new Window(windowStart, windowStart.plus(sitting.experiment().measure()));
    setting.steps().enter(SweepListener.Step.WARM_UP, Duration.between(warmUpStart, windowStart));
    return setting
        .cleanUp()
        .runAndClean(
            () -> {
              Consumer<Instant> waiter =
                  until -> followed(load).until(until, setting.trial(), SweepListener.Step.WARM_UP);
              watches.beginAhead(planned, waiter);
              waiter.accept(windowStart);
              MeasuredWindow measured =
                  MeasuredWindow.of(
                      sitting,
                      session,
                      followed(load),
                      () -> outcomes.begin(sitting.experiment().measure(), setting.directory()),
                      watches,
                      setting.steps(),
                      setting.trial(),
                      WindowGuard.NONE);
              return over(setting, outcomes, watches, warmUpStart, measured);
            },
            "ending the observers",
            watches::close);
  }

  private Recorded over(
      Setting setting,
      Outcomes outcomes,
      Watches watches,
      Instant warmUpStart,
      MeasuredWindow measured) {
    announceWindowOver(setting.windowOver());
    setting.steps().enter(SweepListener.Step.COLLECT, Duration.ZERO);
    Window warmUp = new Window(warmUpStart, measured.window().start());
    return collect(outcomes, watches, warmUp, measured);
  }

  private Followed followed(Optional<RunningLoad> load) {
    return new Followed(load, sitting);
  }

  /**
   * Announces the end of the window; if the next generator fails to start, it is started again with
   * its trial.
   */
  private void announceWindowOver(Runnable windowOver) {
    try {
      windowOver.run();
    } catch (RuntimeException fault) {
      sitting.notice("cannot start the next trial's load generator yet: " + fault.getMessage());
    }
  }

  /**
   * Stops the load and fetches the observers' logs in parallel, because both take a while. Both
   * have ended when this returns or throws.
   */
  private static Recorded collect(
      Outcomes outcomes, Watches watches, Window warmUp, MeasuredWindow measured) {
    ExecutorService reader = Executors.newSingleThreadExecutor();
    try {
      CompletableFuture<List<Observation>> logs =
          CompletableFuture.supplyAsync(() -> watches.finish(measured.window()), reader);
      Outcomes.Ended outcome;
      try {
        outcome = outcomes.stop();
      } catch (RuntimeException | Error fault) {
        logs.handle((seen, thrown) -> Optional.ofNullable(thrown))
            .join()
            .ifPresent(fault::addSuppressed);
        throw fault;
      }
      return new Recorded(warmUp, measured.window(), outcome, logs.join(), measured.machine());
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      reader.shutdown();
    }
  }

  private record Recorded(
      Window warmUp,
      Window window,
      Outcomes.Ended outcome,
      List<Observation> observations,
      ThisMachine machine) {
    /** Returns the same with its work as the window, unless it took too long. */
    Recorded ofItsWork(Duration within) {
      Window work = window.length().compareTo(within) < 0 ? outcome.span().orElse(window) : window;
      return new Recorded(warmUp, work, outcome, observations, machine);
    }
  }
}
