package io.slicewise.sweep.window;

import io.slicewise.experiment.Experiment;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.sweep.guard.SweepOptions;
import java.time.Clock;
import java.time.Instant;

/** What all parts of one process's work on a run share. */
public record Sitting(
    Experiment experiment,
    RunDirectory run,
    SweepOptions options,
    SweepListener listener,
    StopRequest stop,
    LoadGenerator generator,
    Clock clock) {
  public Instant now() {
    return clock.instant();
  }

  public void notice(String sentence) {
    listener.notice(sentence);
  }

  /** Whether nobody asked to stop. */
  public boolean goesOn() {
    return stop.wish() == StopRequest.Wish.GO_ON;
  }
}
