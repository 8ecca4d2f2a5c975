package io.slicewise.sweep;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.Domain;
import io.slicewise.host.HostState;
import io.slicewise.host.monitor.Dom0Counters;
import io.slicewise.host.monitor.Monitor;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.LoadResults;
import io.slicewise.run.PlannedTrial;
import io.slicewise.run.StopRequest;
import io.slicewise.run.Surroundings;
import io.slicewise.run.SweepListener;
import io.slicewise.run.TrialFault;
import io.slicewise.run.TrialResult;
import io.slicewise.run.TrialRules;
import io.slicewise.run.TrialSamples;
import io.slicewise.workload.Workload;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * Runs one trial from applying its profile to its result. Writes the raw logs into the trial's
 * directory; the journal and {@code trial.json} are its caller's.
 */
final class TrialRunner {
  private static final Duration TICK = Duration.ofMillis(500);

  private final Experiment experiment;
  private final HostSession session;
  private final SettingsGuard guard;
  private final Workload workload;
  private final SweepListener listener;
  private final StopRequest stop;
  private final Clock clock;

  TrialRunner(
      Experiment experiment,
      HostSession session,
      SettingsGuard guard,
      Workload workload,
      SweepListener listener,
      StopRequest stop,
      Clock clock) {
    this.experiment = experiment;
    this.session = session;
    this.guard = guard;
    this.workload = workload;
    this.listener = listener;
    this.stop = stop;
    this.clock = clock;
  }

  /**
   * Runs the trial. A workload that cannot be set up or torn down fails it, since the next trial
   * would start from something else; any other fault of tidying up is a warning of its result.
   *
   * @param prepared the generator that was made ready for it; empty when nothing is loaded
   * @param windowOver called as soon as the measured window has ended, before anything is
   *     collected; its faults are not this trial's
   */
  TrialResult run(
      PlannedTrial planned, Path directory, Optional<PreparedLoad> prepared, Runnable windowOver) {
    Trial trial = planned.trial();
    StepTimer steps = new StepTimer(clock, listener, trial);
    steps.enter(SweepListener.Step.APPLY, Duration.ZERO);
    Map<String, SchedulerParameters> applied = guard.apply(experiment, planned.profile());
    steps.enter(SweepListener.Step.SET_UP, Duration.ZERO);
    CleanUp cleanUp = new CleanUp();
    Workload beside = ExperimentWorkload.under(workload, trial.load());
    Setting setting = new Setting(trial, beside, directory, windowOver, steps, cleanUp);
    TrialResult result = tornDown(setting, () -> loaded(setting, prepared, applied));
    return result.withRemarks(cleanUp.warnings()).withStepSeconds(steps.seconds());
  }

  /** The tear-down runs in any case; its fault counts unless the trial failed by itself. */
  private TrialResult tornDown(Setting setting, Supplier<TrialResult> work) {
    CleanUp tearDown = new CleanUp();
    TrialResult result =
        tearDown.behind(
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

  private static void setUp(Workload workload) {
    try {
      workload.setUp();
    } catch (SlicewiseException fault) {
      throw new TrialFault("setting the workload up failed: " + fault.getMessage(), fault);
    }
  }

  /** What every step of one trial needs. */
  private record Setting(
      Trial trial,
      Workload workload,
      Path directory,
      Runnable windowOver,
      StepTimer steps,
      CleanUp cleanUp) {}

  private TrialResult loaded(
      Setting setting, Optional<PreparedLoad> prepared, Map<String, SchedulerParameters> applied) {
    setUp(setting.workload());
    HostState before = session.hypervisor().state();
    List<Domain> domains = session.hypervisor().domains();
    Optional<RunningLoad> begun = prepared.map(PreparedLoad::begin);
    Recorded recorded =
        setting
            .cleanUp()
            .behind(
                () -> measure(setting, begun, domains),
                "ending the load generator",
                () -> begun.ifPresent(RunningLoad::close));
    Optional<TrialSamples> samples =
        recorded
            .load()
            .map(
                done -> TrialSamples.reduce(done.samples(), recorded.window(), setting.workload()));
    Map<String, SchedulerParameters> after = guard.readAgain(applied);
    TrialResult result =
        new TrialResult(
            setting.trial(),
            List.of(),
            recorded.remarks(),
            recorded.warmUp(),
            recorded.window(),
            session.host().pcpus(),
            applied,
            after,
            samples.map(reduced -> LoadResults.of(reduced, recorded.window())),
            recorded.monitor(),
            recorded.load().map(FinishedLoad::health),
            recorded
                .load()
                .flatMap(
                    load ->
                        samples.map(
                            reduced ->
                                setting.workload().measures(reduced.reduction(), load.samples())))
                .orElse(List.of()),
            recorded.dom0().use(),
            Optional.of(new Surroundings(before, session.hypervisor().state())),
            setting.steps().seconds(),
            recorded.labLatenessMillis());
    return result.judged(TrialRules.judge(experiment, result));
  }

  private Recorded measure(Setting setting, Optional<RunningLoad> load, List<Domain> domains) {
    Instant warmUpStart = clock.instant();
    Instant windowStart = warmUpStart.plus(experiment.warmUp());
    Instant windowEnd = windowStart.plus(experiment.measure());
    Monitor monitor = session.monitor();
    setting.steps().enter(SweepListener.Step.WARM_UP, Duration.between(warmUpStart, windowStart));
    follow(
        setting.trial(), SweepListener.Step.WARM_UP, load, windowStart.minus(monitor.leadTime()));
    Duration watched = Duration.between(clock.instant(), windowEnd);
    Monitor.Watch watch = monitor.start(watched, domains, rawLogs(setting, monitor.name()));
    return setting
        .cleanUp()
        .behind(
            () -> {
              follow(setting.trial(), SweepListener.Step.WARM_UP, load, windowStart);
              return window(setting, load, watch, warmUpStart);
            },
            "ending the monitor",
            watch::close);
  }

  private Recorded window(
      Setting setting, Optional<RunningLoad> load, Monitor.Watch watch, Instant warmUpStart) {
    Instant began = clock.instant();
    load.ifPresent(RunningLoad::beginWindow);
    HostLateness lateness = HostLateness.atBeginning(session.shell());
    Dom0Counters dom0 = Dom0Counters.atBeginning(session.shell());
    return setting
        .cleanUp()
        .behind(
            () -> window(setting, load, watch, dom0, lateness, new Window(warmUpStart, began)),
            "ending the readings of dom0",
            dom0::close);
  }

  private Recorded window(
      Setting setting,
      Optional<RunningLoad> load,
      Monitor.Watch watch,
      Dom0Counters dom0,
      HostLateness lateness,
      Window warmUp) {
    Instant began = warmUp.end();
    setting.steps().enter(SweepListener.Step.MEASURE, experiment.measure());
    Instant end = began.plus(experiment.measure());
    follow(setting.trial(), SweepListener.Step.MEASURE, load, end);
    Window window = new Window(began, clock.instant());
    double late = lateness.p99Millis();
    dom0.atEnd();
    announceWindowOver(setting.windowOver());
    setting.steps().enter(SweepListener.Step.COLLECT, Duration.ZERO);
    Collected collected = collect(load, watch, window);
    Dom0Counters.Seen seen = dom0.finish(rawLogs(setting, "proc").resolve("dom0.txt.gz"));
    return new Recorded(warmUp, window, collected.load(), collected.monitor(), seen, late);
  }

  /** The next trial's generator is started again, and its fault counts, when that trial begins. */
  private void announceWindowOver(Runnable windowOver) {
    try {
      windowOver.run();
    } catch (RuntimeException fault) {
      listener.notice("cannot start the next trial's load generator yet: " + fault.getMessage());
    }
  }

  /**
   * The load is stopped and the monitor's logs are fetched at the same time: both take a while.
   * Neither is still under way when this returns or throws.
   */
  private static Collected collect(Optional<RunningLoad> load, Monitor.Watch watch, Window window) {
    CompletableFuture<MonitorResult> logs =
        CompletableFuture.supplyAsync(() -> watch.finish(window), TrialRunner::onThreadOfItsOwn);
    Optional<FinishedLoad> finished;
    try {
      finished = load.map(RunningLoad::stop);
    } catch (RuntimeException | Error fault) {
      logs.handle((result, thrown) -> Optional.ofNullable(thrown))
          .join()
          .ifPresent(fault::addSuppressed);
      throw fault;
    }
    try {
      return new Collected(finished, logs.join());
    } catch (CompletionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : e;
    }
  }

  /** Fetching logs waits for the host, which would block the pool that all of the JVM shares. */
  private static void onThreadOfItsOwn(Runnable fetching) {
    Thread thread = new Thread(fetching, "monitor logs");
    thread.setDaemon(true);
    thread.start();
  }

  /** Waits until that moment, telling the listener how the load fares and noticing its death. */
  private void follow(
      Trial trial, SweepListener.Step step, Optional<RunningLoad> load, Instant until) {
    Instant entered = clock.instant();
    while (clock.instant().isBefore(until)) {
      Instant tick = clock.instant().plus(TICK);
      stop.waitUntil(tick.isBefore(until) ? tick : until);
      if (load.isPresent() && !load.get().isAlive()) {
        throw new TrialFault("the load generator ended by itself; its jmeter.log tells why");
      }
      LoadProgress progress = load.map(RunningLoad::progress).orElse(LoadProgress.NONE);
      listener.progress(trial, step, Duration.between(entered, clock.instant()), progress);
    }
  }

  private static Path rawLogs(Setting setting, String source) {
    try {
      return Files.createDirectory(setting.directory().resolve(source));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Collected(Optional<FinishedLoad> load, MonitorResult monitor) {}

  private record Recorded(
      Window warmUp,
      Window window,
      Optional<FinishedLoad> load,
      MonitorResult monitor,
      Dom0Counters.Seen dom0,
      double labLatenessMillis) {
    List<String> remarks() {
      return Stream.concat(monitor.warnings().stream(), dom0.remarks().stream()).toList();
    }
  }
}
