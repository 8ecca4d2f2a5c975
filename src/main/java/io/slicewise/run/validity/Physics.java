package io.slicewise.run.validity;

import io.slicewise.experiment.ValidityLimits;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Holds a trial against every rule. The rules and limits are fixed before the sweep: a trial leaves
 * its cell by one of them, with its reason printed, or not at all. What is {@code NaN} was not
 * measured and breaks no rule.
 */
public final class Physics {
  private Physics() {}

  /** Every rule the trial breaks under these limits. */
  public static Judgement judge(TrialFacts facts, ValidityLimits limits) {
    List<Finding> findings =
        Stream.of(
                LoadRules.judge(facts, limits),
                ShareRules.judge(facts),
                GeneratorRules.judge(facts, limits),
                LabRules.judge(facts, limits),
                SettingRules.judge(facts),
                ConductRules.judge(facts))
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Finding::rule))
            .toList();
    return new Judgement(findings);
  }
}
