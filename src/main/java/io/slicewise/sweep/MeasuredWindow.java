package io.slicewise.sweep;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Trial;
import io.slicewise.run.SweepListener;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import java.time.Duration;
import java.time.Instant;

/**
 * A window under load, of a trial or of a session: counters are read at both of its ends, and the
 * load goes on until those of the end are read.
 */
record MeasuredWindow(Window window, ThisMachine machine) {
  /**
   * Measures from now on, as long as the experiment asks.
   *
   * @param begins begins the window of the outcomes
   * @param harm may end it before
   */
  static MeasuredWindow of(
      Sitting sitting,
      HostSession session,
      Followed followed,
      Runnable begins,
      Watches watches,
      StepTimer steps,
      Trial trial,
      WindowGuard harm) {
    Instant began = sitting.now();
    Duration length = sitting.experiment().measure(trial);
    Instant end = began.plus(length);
    begins.run();
    watches.begin(end);
    Strain strain = Strain.atBeginning(session.shell(), sitting.experiment());
    steps.enter(SweepListener.Step.MEASURE, length);
    followed.until(end, trial, SweepListener.Step.MEASURE, harm::isGiven);
    Window window = new Window(began, sitting.now());
    harm.ended();
    return ended(watches, strain, window);
  }

  /** Ends now what began then. */
  static MeasuredWindow ended(Sitting sitting, Watches watches, Strain strain, Instant began) {
    return ended(watches, strain, new Window(began, sitting.now()));
  }

  private static MeasuredWindow ended(Watches watches, Strain strain, Window window) {
    watches.end();
    return new MeasuredWindow(window, strain.now());
  }
}
