package io.slicewise.run.validity;

import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.stats.Mser5;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Checks the samples: there are some, few failed, Little's law applies, the rate is steady. */
final class LoadRules {
  /** The smallest difference between the rates before and after the cut that is reported. */
  private static final double RATE_CHANGE = 0.05;

  private LoadRules() {}

  static List<Finding> judge(TrialFacts facts, ValidityLimits limits) {
    if (facts.load().isEmpty()) {
      return outcomes(facts, "what it printed is in the trial's directory");
    }
    if (!facts.conduct().faults().isEmpty()) {
      return outcomes(facts, "what users experienced is not wholly known, and is no result");
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
      LittlesLaw.judge(
              facts.users(), load.cycle(), facts.window().seconds(), limits.littlesLawError())
          .ifPresent(findings::add);
    } else if (facts.arrivals() > 0) {
      LittlesLaw.judgeOpen(
              facts.arrivals(), load, facts.window().seconds(), limits.littlesLawError())
          .ifPresent(findings::add);
    }
    steady(load, facts.warmUp(), findings);
    return findings;
  }

  private static List<Finding> outcomes(TrialFacts facts, String cause) {
    return facts.conduct().faults().stream()
        .map(fault -> Finding.excluding(Rule.OUTCOMES, fault, cause))
        .toList();
  }

  private static void errors(TrialFacts.Load load, ValidityLimits limits, List<Finding> findings) {
    double share = (double) load.failed() / (double) load.samples();
    if (share > limits.errorShare()) {
      findings.add(
          Finding.excluding(
              Rule.ERRORS,
              Phrase.of(
                  "errors %.2f %% > %.2f %% (%d of %d samples)",
                  100 * share, 100 * limits.errorShare(), load.failed(), load.samples()),
              "the target refuses requests or times out under this load; failed answers are fast,"
                  + " so rates and times of such a trial are misleading"));
    }
  }

  /**
   * MSER-5 finds where a series settles, but on white noise it cuts something off every third time;
   * only a cut that changes the rate is reported.
   */
  private static void steady(TrialFacts.Load load, Duration warmUp, List<Finding> findings) {
    double[] rates = load.perSecond().stream().mapToDouble(Long::doubleValue).toArray();
    Mser5 series = Mser5.of(rates);
    double before = Arrays.stream(rates).limit(series.cut()).average().orElse(Double.NaN);
    double after = Arrays.stream(rates).skip(series.cut()).average().orElse(Double.NaN);
    if (!(Math.abs(before / after - 1) > RATE_CHANGE)) {
      return;
    }
    boolean settles = series.outcome() == Mser5.Outcome.STEADY;
    findings.add(
        Finding.warning(
            Rule.STEADY,
            Phrase.of(
                "%s: %.1f/s in its first %d s, %.1f/s after%s",
                settles ? "the rate settles late in the window" : "the rate is not steady",
                before,
                series.cut(),
                after,
                settles ? "; a warm-up of " + longer(warmUp, series) + " would be enough" : ""),
            settles
                ? "the warm-up is too short, or something else ran on the host in the meantime"
                : "no warm-up seen so far is long enough, or something else ran on the host"));
  }

  /** Describes the warm-up that would have covered the transient. */
  private static String longer(Duration warmUp, Mser5 series) {
    return warmUp.toSeconds() + series.cut() + (warmUp.toNanosPart() > 0 ? 1 : 0) + " s";
  }
}
