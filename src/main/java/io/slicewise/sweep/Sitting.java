package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import java.time.Clock;
import java.time.Instant;

/** What all parts of one process's work on a run share. */
record Sitting(
    Experiment experiment,
    RunDirectory run,
    SweepOptions options,
    SweepListener listener,
    StopRequest stop,
    LoadGenerator generator,
    Clock clock) {
  Instant now() {
    return clock.instant();
  }

  void notice(String sentence) {
    listener.notice(sentence);
  }

  /** Whether nobody asked to stop. */
  boolean goesOn() {
    return stop.wish() == StopRequest.Wish.GO_ON;
  }
}
