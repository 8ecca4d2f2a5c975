package io.slicewise.sweep.window;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HostState;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialFault;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialHost.Surroundings;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes.CutShort;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.outcome.Outcomes;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Measures the windows of a session in order: changes the settings, reads them back, waits,
 * measures. A window's result is assembled during the next one's wash-out.
 */
public final class WindowRunner implements AutoCloseable {
  private static final Duration GLANCE = Duration.ofMillis(100);

  /** The shortest window that counts if it was cut short. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  private final Sitting sitting;
  private final HostSession session;
  private final SettingsGuard guard;
  private final Outcomes outcomes;
  private final Consumer<Trial> begins;
  private final Followed followed;
  private final Duration washOut;
  private final WindowGuard harm;
  private HostState state;
  private Optional<OpenWindow> open = Optional.empty();

  public WindowRunner(
      Sitting sitting,
      HostSession session,
      SettingsGuard guard,
      Outcomes outcomes,
      Consumer<Trial> begins,
      Followed followed,
      Duration washOut,
      WindowGuard harm) {
    this.sitting = sitting;
    this.session = session;
    this.guard = guard;
    this.outcomes = outcomes;
    this.begins = begins;
    this.followed = followed;
    this.washOut = washOut;
    this.harm = harm;
    this.state = session.hypervisor().state();
  }

  /**
   * Measures a window. Its result follows with the next call of this or of {@link #finish}.
   *
   * @param results receives the result of the previous window
   * @throws RefusedCandidate if the host does not take the settings of a tune's candidate
   */
  public void measure(PlannedTrial planned, Consumer<TrialResult> results) {
    Trial trial = planned.trial();
    Instant began = sitting.now();
    SettingsGuard.Switched settings =
        RefusedCandidate.orElse(
            sitting.experiment(),
            trial,
            () -> guard.switchTo(sitting.experiment(), planned.profile()));
    Duration switching = Duration.between(began, sitting.now());
    harm.begin(restoring(trial));
    finish(results);
    Path directory = sitting.run().freshTrialDirectory(trial);
    begins.accept(trial);
    sitting.listener().trialStarted(trial);
    StepTimer steps = new StepTimer(sitting.clock(), sitting.listener(), trial);
    steps.took(SweepListener.Step.APPLY, switching);
    steps.enter(SweepListener.Step.WASH_OUT, washOut);
    Watches watches = new Watches(session.observers(), directory, sitting.clock());
    try {
      MeasuredWindow measured =
          new MeasuredWindow.Measuring(sitting, session, followed, watches, steps, trial, harm)
              .after(
                  SweepListener.Step.WASH_OUT,
                  began,
                  start(began, watches),
                  () -> outcomes.begin(sitting.experiment().measure(trial), directory));
      open = Optional.of(window(measured, watches, settings, directory));
    } catch (RuntimeException | Error fault) {
      closeAfter(watches, fault);
      throw fault;
    }
  }

  /** The end of the wash-out; later if the observers need a longer lead time. */
  private Instant start(Instant began, Watches watches) {
    Instant washed = began.plus(washOut);
    Instant watched = sitting.now().plus(watches.longestLead());
    return washed.isAfter(watched) ? washed : watched;
  }

  private OpenWindow window(
      MeasuredWindow measured, Watches watches, SettingsGuard.Switched settings, Path directory) {
    Trial trial = measured.trial();
    // A candidate that was cut short was read back when it was set, and is no longer in force.
    Map<String, SchedulerParameters> after =
        measured.cut().isPresent() && sitting.experiment().isCandidate(trial)
            ? new LinkedHashMap<>(settings.asked())
            : guard.readAgain(settings.asked());
    after.putAll(settings.differing());
    measured.cut().ifPresent(cut -> sitting.notice(sentence(trial, measured.window(), cut)));
    Outcomes.Ended outcome = outcomes.cut(directory);
    measured.steps().enter(SweepListener.Step.COLLECT, Duration.ZERO);
    return new OpenWindow(measured, watches, settings.asked(), after, outcome);
  }

  /** Returns what sets the settings found again; empty in a window that has them. */
  private Optional<Runnable> restoring(Trial trial) {
    Experiment experiment = sitting.experiment();
    return experiment.isCandidate(trial)
        ? Optional.of(
            () -> {
              List<String> differing =
                  guard
                      .switchBack(experiment, experiment.profile(experiment.baseline()))
                      .mismatches();
              if (!differing.isEmpty()) {
                throw new TrialFault(
                    "the settings found were not restored: " + String.join("; ", differing));
              }
            })
        : Optional.empty();
  }

  private static String sentence(Trial trial, Window window, CutShort cut) {
    return Phrase.of(
        "the window of %s ended after %.1f s: %s%s",
        trial.profile(),
        window.seconds(),
        cut.sentence(),
        cut.restoreSeconds() > 0
            ? Phrase.of("; settings found restored within %.1f s", cut.restoreSeconds())
            : "");
  }

  /** Assembles the result of the last window, unless already done. */
  public void finish(Consumer<TrialResult> results) {
    Optional<OpenWindow> last = open;
    open = Optional.empty();
    last.ifPresent(
        window -> {
          await(window);
          results.accept(result(window));
          harm.restoreIfGiven();
        });
  }

  /** Waits until a window's outcomes are known, while those of the next one are watched. */
  private void await(OpenWindow window) {
    while (!window.outcome().isKnown(window.measured().window())) {
      harm.restoreIfGiven();
      sitting.stop().waitUntil(sitting.now().plus(GLANCE));
    }
  }

  private TrialResult result(OpenWindow one) {
    MeasuredWindow measured = one.measured();
    CleanUp cleanUp = new CleanUp();
    List<Observation> seen =
        cleanUp.runAndClean(
            () -> one.watches().finish(measured.window()),
            "ending the observers",
            one.watches()::close);
    harm.restoreIfGiven();
    HostState before = guard.sinceStart(state);
    state = session.hypervisor().state();
    harm.restoreIfGiven();
    TrialHost host =
        measured.host(session, one.asked(), one.after(), new Surroundings(before, state));
    TrialResult result = measured.result(sitting.experiment(), host, load(one), seen);
    return result
        .withRemarks(cleanUp.warnings())
        .withRemarks(one.outcome().remarks())
        .withRemarks(WindowLength.remarks(sitting.experiment(), result));
  }

  /** A window that was cut short before it began has no outcomes. */
  private static TrialLoad load(OpenWindow window) {
    MeasuredWindow measured = window.measured();
    TrialLoad load = window.outcome().in(measured.window());
    return measured.cut().isPresent() && measured.window().length().compareTo(LEAST) < 0
        ? load.withFault("it was cut short before its wash-out had ended")
        : load;
  }

  private static void closeAfter(Watches watches, Throwable fault) {
    try {
      watches.close();
    } catch (RuntimeException unclosed) {
      fault.addSuppressed(unclosed);
    }
  }

  /** Ends the observers of a window that has no result. */
  @Override
  public void close() {
    open.ifPresent(one -> one.watches().close());
  }

  /** Whether a window has enough samples for the percentile that the experiment's goal is about. */
  private static final class WindowLength {
    private WindowLength() {}

    /** Returns a sentence where it has too few. */
    static List<String> remarks(Experiment experiment, TrialResult result) {
      long samples = result.load().map(LoadResult::samples).orElse(Long.MAX_VALUE);
      return experiment
          .aim()
          .goal()
          .filter(goal -> samples < goal.samples())
          .map(
              goal ->
                  "%d samples are too few for %s, which needs %d: lengthen 'window' of design"
                      .formatted(samples, goal.metric(), goal.samples()))
          .stream()
          .toList();
    }
  }

  /**
   * A window that has ended but whose observations are not yet collected. They are collected during
   * the next window's wash-out.
   *
   * @param after settings read back at its end, or after the change if that differed from the
   *     request
   * @param outcome what its users experienced
   */
  private record OpenWindow(
      MeasuredWindow measured,
      Watches watches,
      Map<String, SchedulerParameters> asked,
      Map<String, SchedulerParameters> after,
      Outcomes.Ended outcome) {}
}
