package io.slicewise.sweep.window;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.PlanNeeds;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.run.SweepListener;
import io.slicewise.run.result.TrialFault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Waits while a load is running, reports its progress to the listener and notices its unexpected
 * end.
 *
 * @param load empty if nothing is loaded
 */
public record Followed(Optional<RunningLoad> load, Sitting sitting) {
  private static final Duration TICK = Duration.ofMillis(500);

  /** Short against the seconds in which a window that does harm must end. */
  private static final Duration GUARDED = Duration.ofMillis(100);

  /** Short against the shortest work, because counters go on until it is seen to be done. */
  private static final Duration GLANCE = Duration.ofMillis(10);

  /** Waits until a time within the trial's step. */
  public void until(Instant moment, Trial trial, SweepListener.Step step) {
    until(moment, trial, step, () -> false);
  }

  /** Waits until a time within the trial's step, or until it must end before. */
  public void until(Instant moment, Trial trial, SweepListener.Step step, BooleanSupplier cut) {
    Instant entered = sitting.now();
    if (!over(moment, trial, step, GUARDED, cut)) {
      throw lost(
          Phrase.of(
              "the plan ended by itself: its users had all finished %.1f s after the step '%s'"
                  + " began, %.1f s before its end; %s",
              Duration.between(entered, sitting.now()).toMillis() / 1e3,
              step.text(),
              Duration.between(sitting.now(), moment).toMillis() / 1e3,
              load.flatMap(RunningLoad::lastWords)
                  .map("jmeter.log ends with: "::concat)
                  .orElse(PlanNeeds.WAY_OUT)));
    }
  }

  /** Waits until the load has done its work, or until a time. */
  void done(Instant latest, Trial trial, SweepListener.Step step) {
    over(latest, trial, step, GLANCE, () -> false);
  }

  /** Returns whether the load went on to that moment; false if its users ended before. */
  private boolean over(
      Instant moment, Trial trial, SweepListener.Step step, Duration pause, BooleanSupplier cut) {
    Instant entered = sitting.now();
    Instant reported = entered;
    while (sitting.now().isBefore(moment) && !cut.getAsBoolean()) {
      Instant tick = sitting.now().plus(pause);
      sitting.stop().waitUntil(tick.isBefore(moment) ? tick : moment);
      if (load.isPresent() && !load.get().isAlive()) {
        if (load.get().failure().isPresent()) {
          throw lost(load.get().failure().get());
        }
        return false;
      }
      Instant now = sitting.now();
      if (!now.isBefore(reported.plus(TICK)) || !now.isBefore(moment)) {
        reported = now;
        LoadProgress progress = load.map(RunningLoad::progress).orElse(LoadProgress.NONE);
        sitting.listener().progress(trial, step, Duration.between(entered, reported), progress);
      }
    }
    return true;
  }

  private TrialFault lost(String reason) {
    return load.flatMap(RunningLoad::lostGenerator)
        .map(generator -> TrialFault.lost(generator, reason))
        .orElseGet(() -> new TrialFault(reason));
  }
}
