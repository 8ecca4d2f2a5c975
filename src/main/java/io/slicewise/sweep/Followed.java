package io.slicewise.sweep;

import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.TrialFault;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Waits while a load is running, reports its progress to the listener and notices its unexpected
 * end.
 *
 * @param load empty if nothing is loaded
 */
record Followed(Optional<RunningLoad> load, SweepListener listener, StopRequest stop, Clock clock) {
  private static final Duration TICK = Duration.ofMillis(500);

  /** Waits until a time within the trial's step. */
  void until(Instant moment, Trial trial, SweepListener.Step step) {
    Instant entered = clock.instant();
    while (clock.instant().isBefore(moment)) {
      Instant tick = clock.instant().plus(TICK);
      stop.waitUntil(tick.isBefore(moment) ? tick : moment);
      if (load.isPresent() && !load.get().isAlive()) {
        String reason =
            load.get()
                .failure()
                .orElse("the load generator ended unexpectedly; see its jmeter.log");
        throw load.get()
            .lostGenerator()
            .map(generator -> TrialFault.lost(generator, reason))
            .orElseGet(() -> new TrialFault(reason));
      }
      LoadProgress progress = load.map(RunningLoad::progress).orElse(LoadProgress.NONE);
      listener.progress(trial, step, Duration.between(entered, clock.instant()), progress);
    }
  }
}
