package io.slicewise.sweep;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairsDesign;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.observe.Observer;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.outcome.Outcomes;
import io.slicewise.sweep.window.CleanUp;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.sweep.window.Followed;
import io.slicewise.sweep.window.HostSession;
import io.slicewise.sweep.window.RefusedCandidate;
import io.slicewise.sweep.window.Sitting;
import io.slicewise.sweep.window.WashOut;
import io.slicewise.sweep.window.WindowGuard;
import io.slicewise.sweep.window.WindowRunner;
import io.slicewise.workload.Workload;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Runs one session: starts workload and generator once for a load, and runs windows as requested by
 * the source of trials, block by block.
 */
final class SessionRunner {
  /** The warm-up's samples, in the session's directory. */
  private static final String WARM_UP = "warm-up.jtl.gz";

  private static final Duration REST = Duration.ofSeconds(30);

  private final Sitting sitting;
  private final HostSession session;
  private final SettingsGuard guard;
  private final OpenTrials openTrials;
  private final GeneratorQueue generators;
  private final Workload workload;
  private final QuietMachine quiet;
  private Consumer<Trial> begins = trial -> {};
  private BiConsumer<Trial, String> refused = (trial, reason) -> {};
  private PlannedTrial current;
  private Optional<Duration> washOut = Optional.empty();

  SessionRunner(
      Sitting sitting,
      HostSession session,
      SettingsGuard guard,
      OpenTrials openTrials,
      GeneratorQueue generators,
      Workload workload,
      QuietMachine quiet) {
    this.quiet = quiet;
    this.sitting = sitting;
    this.session = session;
    this.guard = guard;
    this.openTrials = openTrials;
    this.generators = generators;
    this.workload = workload;
  }

  /** Returns the current window, or the first one if the session has not begun. */
  PlannedTrial current() {
    return current;
  }

  /**
   * Runs the session until the source of trials, a request to stop or a failure ends it.
   *
   * @param first of its windows
   * @param begins receives each window after its settings are verified
   * @param results receives the result of each window as soon as it is known, before the source is
   *     asked for the next block
   * @param refused receives each window whose settings the host does not take, with the reason
   */
  void run(
      PlannedTrial first,
      Consumer<Trial> begins,
      Consumer<TrialResult> results,
      BiConsumer<Trial, String> refused) {
    this.begins = begins;
    this.refused = refused;
    current = first;
    washOut = Optional.empty();
    SessionKey key = first.trial().session().orElseThrow();
    openTrials.sessionBegins(key);
    Path directory = sitting.run().freshSessionDirectory(key);
    try {
      CleanUp cleanUp = new CleanUp();
      Optional<PreparedLoad> prepared = generators.forSession(first.trial(), directory);
      cleanUp.runAndClean(
          () -> {
            setUpAndRun(key, prepared, directory, results);
            return key;
          },
          "ending the load generator",
          () -> prepared.ifPresent(PreparedLoad::close));
      cleanUp.warnings().forEach(sitting::notice);
    } catch (RuntimeException | Error fault) {
      endAfter(key, fault);
      throw fault;
    } finally {
      sitting.run().close(directory);
    }
    openTrials.sessionEnded(key, washOut, sitting.goesOn() ? "" : "stopped");
  }

  private void endAfter(SessionKey key, Throwable fault) {
    try {
      openTrials.sessionEnded(key, washOut, String.valueOf(fault.getMessage()));
    } catch (RuntimeException unwritten) {
      fault.addSuppressed(unwritten);
    }
  }

  private void setUpAndRun(
      SessionKey key,
      Optional<PreparedLoad> prepared,
      Path directory,
      Consumer<TrialResult> results) {
    Trial first = current.trial();
    Workload beside = key.load().under(workload);
    sitting.listener().step(first, SweepListener.Step.SET_UP, Duration.ZERO);
    guard.switchTo(sitting.experiment(), atStart());
    CleanUp tearDown = new CleanUp();
    tearDown.runAndClean(
        () -> {
          ExperimentWorkload.setUp(beside);
          loaded(key, prepared, beside, directory, results);
          return key;
        },
        "tearing the workload down",
        () -> {
          sitting.listener().step(current.trial(), SweepListener.Step.TEAR_DOWN, Duration.ZERO);
          beside.tearDown();
        });
    // The windows are measured; the next session's set-up will detect an incomplete tear-down.
    tearDown.warnings().forEach(sitting::notice);
  }

  /**
   * Returns the first window's profile; the settings found of pairs, whose guard learns them, and
   * of a tune, whose candidates the host may refuse.
   */
  private SchedulerProfile atStart() {
    Experiment experiment = sitting.experiment();
    return experiment.pairs().isPresent() || experiment.tuning().isPresent()
        ? experiment.profile(experiment.baseline())
        : current.profile();
  }

  private void loaded(
      SessionKey key,
      Optional<PreparedLoad> prepared,
      Workload beside,
      Path directory,
      Consumer<TrialResult> results) {
    Optional<RunningLoad> load = prepared.map(PreparedLoad::begin);
    Followed followed = new Followed(load, sitting);
    WindowGuard harm = WindowGuard.of(sitting.experiment(), sitting.clock());
    try (Outcomes outcomes = Outcomes.of(beside, load)) {
      if (sitting.experiment().pairs().isPresent()) {
        outcomes.watch(harm::second);
      }
      Duration tail = warmUp(load, followed, beside, directory, harm);
      WindowGuard.lateBy(outcomes.lateness(), sitting.experiment()).ifPresent(sitting::notice);
      Duration wait =
          WashOut.of(
              sitting.experiment(),
              tail,
              longestLead(),
              WashOut.least(sitting.run(), key, sitting.listener()));
      washOut = Optional.of(wait);
      try (WindowRunner windows =
          new WindowRunner(sitting, session, guard, outcomes, begins, followed, wait, harm)) {
        windows(key, windows, outcomes, results);
      }
      outcomes.stop();
    }
  }

  private Duration warmUp(
      Optional<RunningLoad> load,
      Followed followed,
      Workload beside,
      Path directory,
      WindowGuard harm) {
    Instant began = sitting.now();
    sitting
        .listener()
        .step(current.trial(), SweepListener.Step.WARM_UP, sitting.experiment().warmUp());
    followed.until(
        began.plus(sitting.experiment().ramp()), current.trial(), SweepListener.Step.WARM_UP);
    harm.learn();
    followed.until(
        began.plus(sitting.experiment().warmUp()), current.trial(), SweepListener.Step.WARM_UP);
    harm.ended();
    Instant over = sitting.now();
    return load.map(one -> one.cut(directory.resolve(WARM_UP)))
        .map(samples -> WashOut.tail(samples, began, over, beside))
        .orElse(Duration.ZERO);
  }

  private Duration longestLead() {
    return session.observers().stream()
        .map(Observer::leadTime)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }

  private void windows(
      SessionKey key, WindowRunner windows, Outcomes outcomes, Consumer<TrialResult> results) {
    for (List<PlannedTrial> block = next(key, outcomes);
        !block.isEmpty();
        block = next(key, outcomes)) {
      for (PlannedTrial one : block) {
        // The windows of a pair follow each other, so it waited before both.
        if (sitting.experiment().pairs().isEmpty()) {
          quiet.awaitNext();
        }
        if (!sitting.goesOn()) {
          break;
        }
        current = one;
        try {
          windows.measure(one, results);
        } catch (RefusedCandidate fault) {
          refused.accept(one.trial(), fault.getMessage());
          openTrials.refused(one);
        }
      }
      windows.finish(results);
    }
  }

  /** Returns the next block once it may run; none where the session ends. */
  private List<PlannedTrial> next(SessionKey key, Outcomes outcomes) {
    Optional<PairsDesign> pairs = sitting.experiment().pairs();
    if (pairs.isPresent()) {
      awaitHours(pairs.get(), outcomes);
      quiet.awaitNext();
      // What was left of the hours may have passed meanwhile.
      awaitHours(pairs.get(), outcomes);
    }
    return sitting.goesOn() ? openTrials.nextBlock(key) : List.of();
  }

  /** Waits, with the settings found, until a pair may run; ends the study if none may. */
  private void awaitHours(PairsDesign design, Outcomes outcomes) {
    Duration pair = longest();
    Optional<ZonedDateTime> next =
        design.hours().next(sitting.now().atZone(ZoneId.systemDefault()), pair);
    String hour =
        next.map(begin -> begin.format(DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT)))
            .orElse("");
    Instant last = sitting.run().began().orElseThrow().plus(design.most().time()).minus(pair);
    if (next.isEmpty()) {
      openTrials.end(
          "no part of the day that hours and not-during leave is as long as a pair, which takes up"
              + " to "
              + DurationText.of(pair));
    } else if (next.get().toInstant().isAfter(sitting.now())) {
      if (next.get().toInstant().isAfter(last)) {
        openTrials.end(
            "no pair may run before %s (hours, not-during), and one that begins then would not end within %s"
                .formatted(hour, DurationText.of(design.most().time())));
        return;
      }
      guard.switchTo(
          sitting.experiment(), sitting.experiment().profile(sitting.experiment().baseline()));
      sitting.notice(
          "no pair may run before %s (hours, not-during): the settings found are in force"
              .formatted(hour));
      await(next.get().toInstant(), outcomes);
    }
  }

  private void await(Instant begin, Outcomes outcomes) {
    while (sitting.goesOn() && sitting.now().isBefore(begin)) {
      outcomes.rest();
      Instant soon = sitting.now().plus(REST);
      sitting.stop().restUntil(soon.isBefore(begin) ? soon : begin);
    }
  }

  /** Returns how long the longest pair takes in this session. */
  private Duration longest() {
    Duration wait = washOut.orElse(Duration.ZERO);
    Duration lead = longestLead();
    return PairsDesign.longestPair(
        sitting.experiment().measure(), lead.compareTo(wait) > 0 ? lead : wait);
  }
}
