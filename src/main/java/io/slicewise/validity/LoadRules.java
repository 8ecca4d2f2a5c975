package io.slicewise.validity;

import io.slicewise.experiment.Limits;
import io.slicewise.stats.Mser5;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What must hold of the samples: there are some, few failed, Little's law, a steady rate. */
final class LoadRules {
  private LoadRules() {}

  static List<Finding> judge(TrialFacts facts, Limits limits) {
    if (facts.load().isEmpty()) {
      return List.of();
    }
    TrialFacts.Load load = facts.load().get();
    if (load.samples() == 0) {
      return List.of(
          Finding.excluding(
              Rule.SAMPLES,
              "no sample ended in the measured window",
              "the target did not answer, or answers take longer than the window"));
    }
    List<Finding> findings = new ArrayList<>();
    errors(load, limits, findings);
    if (facts.users() > 0) {
      LittlesLaw.judge(facts.users(), load, facts.window().seconds(), limits.littlesLawError())
          .ifPresent(findings::add);
    }
    steady(load, findings);
    return findings;
  }

  private static void errors(TrialFacts.Load load, Limits limits, List<Finding> findings) {
    double share = (double) load.failed() / (double) load.samples();
    if (share > limits.errorShare()) {
      findings.add(
          Finding.excluding(
              Rule.ERRORS,
              String.format(
                  Locale.ROOT,
                  "errors %.2f %% > %.2f %% (%d of %d samples)",
                  100 * share,
                  100 * limits.errorShare(),
                  load.failed(),
                  load.samples()),
              "the target refuses or times out under this load; failed answers are fast, so rates"
                  + " and times of such a trial mislead"));
    }
  }

  private static void steady(TrialFacts.Load load, List<Finding> findings) {
    double[] rates = load.perSecond().stream().mapToDouble(Long::doubleValue).toArray();
    Mser5 series = Mser5.of(rates);
    if (series.outcome() == Mser5.Outcome.NOT_STEADY) {
      findings.add(
          Finding.warning(
              Rule.STEADY,
              "not steady: the rate still moves in the second half of the measured window",
              "the warm-up is too short, or something else ran on the host meanwhile"));
    } else if (series.outcome() == Mser5.Outcome.STEADY && series.cut() > 0) {
      findings.add(
          Finding.warning(
              Rule.STEADY,
              String.format(
                  Locale.ROOT,
                  "the rate settles only %d s into the measured window of %d s",
                  series.cut(),
                  rates.length),
              "the warm-up is too short"));
    }
  }
}
