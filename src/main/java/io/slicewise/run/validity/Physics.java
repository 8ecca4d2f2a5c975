package io.slicewise.run.validity;

import io.slicewise.experiment.ValidityLimits;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Checks a trial against every rule. The rules and limits are fixed before the sweep: a trial is
 * excluded only by one of them, and the reason is printed. {@code NaN} means not measured and
 * breaks no rule.
 */
public final class Physics {
  private Physics() {}

  /** Returns every rule that the trial breaks under these limits. */
  public static Judgement judge(TrialFacts facts, ValidityLimits limits) {
    List<Finding> findings =
        Stream.of(
                LoadRules.judge(facts, limits),
                ShareRules.judge(facts),
                GeneratorRules.judge(facts, limits),
                OtherWorkRules.judge(facts, limits),
                LabRules.judge(facts, limits),
                SettingRules.judge(facts),
                ConductRules.judge(facts),
                WorkRules.judge(facts),
                MachineRules.judge(facts))
            .flatMap(List::stream)
            .sorted(Comparator.comparing(Finding::rule))
            .toList();
    return new Judgement(findings);
  }
}
