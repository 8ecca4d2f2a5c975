package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.ValidityLimits;
import java.util.List;

/**
 * Checks the lab: if it is late in carrying out what its simulated machine decided, response times
 * increase.
 */
final class LabRules {
  /** Above this 99th percentile, the lab's response times are doubtful. */
  private static final double DOUBTFUL_MILLIS = 2;

  private static final String CAUSE =
      "this machine is too small or too busy to run the lab, its servers and the generator: fewer"
          + " users, a smaller demand-factor, or less other work";

  private LabRules() {}

  static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
    double late = facts.machine().labLatenessMillis();
    if (late > limits.labLatenessMillis()) {
      return List.of(
          Finding.excluding(
              Rule.LAB,
              Phrase.of(
                  "the lab was late by %.1f ms (p99, limit %.1f ms)",
                  late, limits.labLatenessMillis()),
              CAUSE));
    }
    return late > DOUBTFUL_MILLIS
        ? List.of(
            Finding.warning(
                Rule.LAB,
                Phrase.of(
                    "the lab was late by %.1f ms (p99); above %.0f ms its response times are"
                        + " doubtful",
                    late, DOUBTFUL_MILLIS),
                CAUSE))
        : List.of();
  }
}
