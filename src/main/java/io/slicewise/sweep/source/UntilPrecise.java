package io.slicewise.sweep.source;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Stop;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.Precision;
import java.time.Duration;
import java.util.Optional;

/** The fixed plan, and further blocks as required by its {@code stop}. */
final class UntilPrecise implements TrialSource {
  private final Experiment experiment;
  private final Stop stop;
  private final FixedPlan plan;

  /**
   * @throws java.util.NoSuchElementException if the experiment has no {@code stop}
   */
  UntilPrecise(Experiment experiment) {
    this.experiment = experiment;
    this.stop = experiment.stop().orElseThrow();
    this.plan = new FixedPlan(experiment);
  }

  @Override
  public Answer next(TrialHistory history) {
    Answer planned = plan.next(history);
    if (!planned.open().isEmpty()) {
      return planned;
    }
    int blocks = plan.blocks(history);
    Precision precision = Precision.after(experiment, history.measured());
    return reasonToStop(history, blocks, precision)
        .map(Answer::end)
        .orElseGet(() -> new Answer(plan.block(blocks + 1), precision.text()));
  }

  /** Returns the reason for stopping after that many blocks; empty if another block is needed. */
  private Optional<String> reasonToStop(TrialHistory history, int blocks, Precision precision) {
    if (precision.enough()) {
      long hopeless = precision.cells().stream().filter(Precision.Cell::hopeless).count();
      return Optional.of(
          "precise: %s%s"
              .formatted(
                  precision.text(),
                  hopeless == 0 ? "" : "; " + hopeless + " without any valid trial"));
    }
    if (blocks >= stop.trials()) {
      return Optional.of(
          "%d blocks are the limit; precise: %s".formatted(blocks, precision.text()));
    }
    if (history.elapsed().plus(blockTime(history)).compareTo(stop.time()) > 0) {
      return Optional.of(
          "another block would not end within %s; precise: %s"
              .formatted(DurationText.of(stop.time()), precision.text()));
    }
    return Optional.empty();
  }

  /** Returns the estimated duration of a block from the trials so far, including cool-down. */
  private Duration blockTime(TrialHistory history) {
    double seconds =
        history.measured().stream()
            .mapToDouble(Measured::seconds)
            .average()
            .orElse(Plan.trialTime(experiment).minus(experiment.coolDown()).toNanos() / 1e9);
    return experiment
        .coolDown()
        .plusNanos(Math.round(seconds * 1e9))
        .multipliedBy(experiment.cells());
  }
}
