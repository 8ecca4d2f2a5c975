package io.slicewise.sweep.window;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HostState;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.TrialFault;
import io.slicewise.run.result.TrialHost.Surroundings;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.guard.SettingsGuard;
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
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Runs one trial from applying its profile to its result. Writes the raw logs to the trial's
 * directory; the caller writes the journal and {@code trial.json}.
 */
public record TrialRunner(
    Sitting sitting, HostSession session, SettingsGuard guard, Workload workload) {
  /**
   * Runs the trial. A workload that cannot be set up or torn down fails it, because the next trial
   * would start from another state; any other failure of the clean-up is a warning.
   *
   * @throws RefusedCandidate if the host does not take the settings of a tune's candidate
   * @param prepared the prepared generator; empty if nothing is loaded
   * @param windowOver called as soon as the measured window has ended, before anything is
   *     collected; its failures do not affect this trial
   */
  public TrialResult run(
      PlannedTrial planned, Path directory, Optional<PreparedLoad> prepared, Runnable windowOver) {
    Trial trial = planned.trial();
    StepTimer steps = new StepTimer(sitting.clock(), sitting.listener(), trial);
    steps.enter(SweepListener.Step.APPLY, Duration.ZERO);
    Map<String, SchedulerParameters> applied =
        RefusedCandidate.orElse(
            sitting.experiment(),
            trial,
            () -> guard.apply(sitting.experiment(), planned.profile()));
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
    Experiment experiment = sitting.experiment();
    ExperimentWorkload.setUp(setting.workload());
    HostState before = guard.sinceStart(session.hypervisor().state());
    Watches watches =
        new Watches(
            session.observers(experiment.measuresWork()), setting.directory(), sitting.clock());
    Recorded recorded =
        experiment.measuresWork()
            ? work(setting, prepared, watches).ofItsWork(experiment.measure())
            : timed(setting, prepared, watches);
    MeasuredWindow measured = recorded.measured();
    TrialLoad load = recorded.outcome().in(measured.window());
    Map<String, SchedulerParameters> after = guard.readAgain(applied);
    Surroundings around = new Surroundings(before, session.hypervisor().state());
    return measured
        .result(
            experiment,
            measured.host(session, applied, after, around),
            load,
            recorded.observations())
        .withRemarks(recorded.outcome().remarks());
  }

  private Recorded timed(Setting setting, Optional<PreparedLoad> prepared, Watches watches) {
    Optional<RunningLoad> begun = prepared.map(PreparedLoad::begin);
    Outcomes outcomes = Outcomes.of(setting.workload(), begun);
    return setting
        .cleanUp()
        .runAndClean(
            () -> measure(setting, begun, outcomes, watches), "ending the load", outcomes::close);
  }

  private Recorded measure(
      Setting setting, Optional<RunningLoad> load, Outcomes outcomes, Watches watches) {
    Instant began = sitting.now();
    Duration warmUp = sitting.experiment().warmUp();
    setting.steps().enter(SweepListener.Step.WARM_UP, warmUp);
    return setting
        .cleanUp()
        .runAndClean(
            () ->
                over(
                    setting,
                    outcomes,
                    watches,
                    measuring(setting, load, watches)
                        .after(
                            SweepListener.Step.WARM_UP,
                            began,
                            began.plus(warmUp),
                            () -> begin(outcomes, setting))),
            "ending the observers",
            watches::close);
  }

  /** Observes the load from before its first request until its users have done their work. */
  private Recorded work(Setting setting, Optional<PreparedLoad> prepared, Watches watches) {
    prepared.ifPresent(PreparedLoad::awaitReady);
    AtomicReference<Outcomes> outcomes = new AtomicReference<>();
    return setting
        .cleanUp()
        .runAndClean(
            () -> {
              MeasuredWindow measured =
                  measuring(setting, Optional.empty(), watches)
                      .work(
                          () -> {
                            Optional<RunningLoad> load = prepared.map(PreparedLoad::begin);
                            outcomes.set(Outcomes.of(setting.workload(), load));
                            begin(outcomes.get(), setting);
                            return new Followed(load, sitting);
                          });
              return over(setting, outcomes.get(), watches, measured);
            },
            "ending the observers",
            watches::close);
  }

  private MeasuredWindow.Measuring measuring(
      Setting setting, Optional<RunningLoad> load, Watches watches) {
    return new MeasuredWindow.Measuring(
        sitting,
        session,
        new Followed(load, sitting),
        watches,
        setting.steps(),
        setting.trial(),
        WindowGuard.NONE);
  }

  private void begin(Outcomes outcomes, Setting setting) {
    outcomes.begin(sitting.experiment().measure(), setting.directory());
  }

  /**
   * Announces the end of the window; if the next generator fails to start, it is started again with
   * its trial. Then collects.
   */
  private Recorded over(
      Setting setting, Outcomes outcomes, Watches watches, MeasuredWindow measured) {
    try {
      setting.windowOver().run();
    } catch (RuntimeException fault) {
      sitting.notice("cannot start the next trial's load generator yet: " + fault.getMessage());
    }
    setting.steps().enter(SweepListener.Step.COLLECT, Duration.ZERO);
    return collect(outcomes, watches, measured);
  }

  /**
   * Stops the load and fetches the observers' logs in parallel, because both take a while. Both
   * have ended when this returns or throws.
   */
  private static Recorded collect(Outcomes outcomes, Watches watches, MeasuredWindow measured) {
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
      return new Recorded(measured, outcome, logs.join());
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    } finally {
      reader.shutdown();
    }
  }

  private record Recorded(
      MeasuredWindow measured, Outcomes.Ended outcome, List<Observation> observations) {
    /** Returns the same with its work as the window, unless it took too long. */
    Recorded ofItsWork(Duration within) {
      Window window = measured.window();
      return window.length().compareTo(within) < 0
          ? new Recorded(measured.ofItsWork(outcome.span().orElse(window)), outcome, observations)
          : this;
    }
  }
}
