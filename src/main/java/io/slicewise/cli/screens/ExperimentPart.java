package io.slicewise.cli.screens;

import io.slicewise.experiment.Experiment;
import java.time.Duration;
import java.util.List;

/**
 * The place of an experiment among those that one command runs.
 *
 * @param number counted from 1
 * @param of how many there are
 * @param later the planned time of those after it
 */
public record ExperimentPart(int number, int of, Duration later) {
  /** The only experiment of a command. */
  public static final ExperimentPart ONLY = new ExperimentPart(1, 1, Duration.ZERO);

  /** Returns the part with that number. */
  public static ExperimentPart of(List<Experiment> experiments, int number) {
    return new ExperimentPart(
        number,
        experiments.size(),
        experiments.stream()
            .skip(number)
            .map(TimeLeft::planned)
            .reduce(Duration.ZERO, Duration::plus));
  }

  /** {@code part 1 of 2}; empty of the only one. */
  String text() {
    return of == 1 ? "" : "part %d of %d".formatted(number, of);
  }
}
