package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.ValidityLimits;
import java.util.List;

/**
 * Checks this machine: other programs take CPU from the generator, and from a lab that runs here.
 */
final class OtherWorkRules {
  private OtherWorkRules() {}

  static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
    double others = facts.machine().otherWorkShare();
    return others > limits.otherWorkShare()
        ? List.of(
            Finding.excluding(
                Rule.OTHER_WORK,
                Phrase.of(
                    "other programs used %.0f %% of this machine's CPU (limit %.0f %%)",
                    100 * others, 100 * limits.otherWorkShare()),
                "end them, or measure when they do not run"))
        : List.of();
  }
}
