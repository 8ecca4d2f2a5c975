package io.slicewise.run;

import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import java.time.Duration;
import java.util.List;

/** Receives all events that a user may want to see. Implementations must return quickly. */
public interface SweepListener {
  /** The steps of a trial, in order. */
  enum Step {
    APPLY("apply"),
    SET_UP("set up"),
    WARM_UP("warm up"),
    WASH_OUT("wash out"),
    MEASURE("measure"),
    COLLECT("collect"),
    TEAR_DOWN("tear down"),
    COOL_DOWN("cool down");

    private final String words;

    Step(String words) {
      this.words = words;
    }

    public String text() {
      return words;
    }
  }

  /**
   * The run begins or is resumed.
   *
   * @param trials of the whole run
   * @param done of them, before
   * @param runnable of the others, with the host's current scheduler
   * @param notRunnable the rest as text, each group with what it waits for
   */
  default void runStarted(
      RunDirectory run, int trials, int done, int runnable, List<String> notRunnable) {}

  default void trialStarted(Trial trial) {}

  default void step(Trial trial, Step step, Duration expected) {}

  /** Called about twice a second while a load is running. */
  default void progress(Trial trial, Step step, Duration elapsed, LoadProgress load) {}

  default void trialFinished(TrialResult result) {}

  /**
   * An invalid trial will run again.
   *
   * @param repeat counted from 1
   * @param most maximum number of repeats
   */
  default void queuedAgain(Trial trial, int repeat, int most) {}

  /** The precision of the cells after a finished trial, if the experiment has a {@code stop}. */
  default void precision(Precision precision) {}

  /** What the pairs of a study show after a finished window. */
  default void study(PairedStudy study) {}

  /** Cells are not precise enough yet, so another block is run. */
  default void blockAdded(int block, int trials, Precision precision) {}

  /**
   * Trials that results decided on were added to the run.
   *
   * @param trials how many more it has; negative if more were left out than added
   */
  default void trialsAdded(int trials) {}

  /** Reports the state of a tune before its next trials. */
  default void outlook(Outlook outlook) {}

  default void trialFailed(Trial trial, String reason) {}

  /** A sentence that does not belong to a trial: host lost, host back, restoring. */
  default void notice(String sentence) {}

  /** A routine sentence that does not belong to a trial: what was added, and why. */
  default void remark(String sentence) {}

  default void runEnded(RunOutcome outcome) {}

  /**
   * The state of a tune, for its observers.
   *
   * @param racing candidates still in the race
   * @param best name of the leader; empty before anything was raced
   * @param probability that it is good enough, at least
   * @param secondsLeft of the budget; infinite where time is not limited
   */
  record Outlook(int racing, String best, double probability, double secondsLeft) {}
}
