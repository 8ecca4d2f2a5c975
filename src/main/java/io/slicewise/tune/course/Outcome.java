package io.slicewise.tune.course;

import io.slicewise.experiment.Trial;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.result.Measured;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A planned trial and its result.
 *
 * @param result of its valid attempt; empty if there is none
 * @param seconds total time of all attempts
 */
public record Outcome(PlannedTrial planned, Optional<Measured> result, double seconds) {
  /** Joins planned trials with their results, including trials that have not ended. */
  public static List<Outcome> of(List<PlannedTrial> planned, List<Measured> measured) {
    Map<Integer, List<Measured>> attempts =
        measured.stream().collect(Collectors.groupingBy((Measured one) -> one.trial().number()));
    Function<PlannedTrial, List<Measured>> of =
        one -> attempts.getOrDefault(one.trial().number(), List.of());
    return planned.stream()
        .filter(one -> one.trial().attempt() == 1)
        .map(
            one ->
                new Outcome(
                    one,
                    of.apply(one).stream().filter(Measured::valid).findFirst(),
                    of.apply(one).stream().mapToDouble(Measured::seconds).sum()))
        .toList();
  }

  Trial trial() {
    return planned.trial();
  }

  String name() {
    return planned.profile().name();
  }

  boolean isFor(Purpose purpose) {
    return planned.purpose() == purpose;
  }

  /** Returns the metric of the valid result; {@code NaN} without one. */
  double figure(GoalMetric metric) {
    return result.map(metric::of).orElse(Double.NaN);
  }
}
