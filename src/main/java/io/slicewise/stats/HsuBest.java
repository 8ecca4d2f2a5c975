package io.slicewise.stats;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Hsu's multiple comparisons with the best: which of several settings are indistinguishable from
 * the best. More is better; negate metrics where less is better. A setting is in the best set
 * unless another one is shown to be better.
 *
 * <p>Each pair is compared with its own scatter: the paired t in complete blocks, whose blocks
 * cancel; for independent observations Welch's t with one degree of freedom less, but not fewer
 * than the smaller side's own: with three observations a side, Welch's number is too large far out
 * in the tail, where many comparisons look. With p_ij the one-sided probability of setting i being
 * that far below setting j, and k settings, Tamhane's T2 adjusts the smallest of k − 1: p_i = 1 −
 * (1 − min_j p_ij)^(k−1). Setting i is in the set where p_i exceeds 1 − confidence. A scatter
 * pooled over settings would drop the best too often where it alone scatters.
 *
 * <p>A pair with fewer than two observations on a side, or in fewer than two blocks, shows nothing.
 *
 * <p>Source: J. C. Hsu, <i>Multiple Comparisons</i> (1996), chapter 4; A. C. Tamhane, <i>A
 * comparison of procedures for multiple comparisons of means with unequal variances</i>, JASA 74
 * (1979).
 *
 * <p>Worked example: means 10, 12, 12.5 of five each with s = 1: standard error 0.632456 with 8 − 1
 * degrees of freedom. The first against the third: t = −3.952847, p = 0.002756, adjusted 0.005504,
 * so it is out; the second against the third: t = −0.790569, p = 0.22757, adjusted 0.403352, so it
 * stays, like the third.
 *
 * @param contenders in the order given
 * @param known whether any pair could be compared; if not, all are in the set
 */
public record HsuBest(List<Contender> contenders, boolean known) {
  public HsuBest {
    contenders = List.copyOf(contenders);
  }

  /**
   * One setting.
   *
   * @param p adjusted probability of being that far below another one; 1 if nothing is above it
   */
  public record Contender(double p, boolean inBestSet) {}

  /** The positions of the settings that are indistinguishable from the best. */
  public List<Integer> bestSet() {
    return IntStream.range(0, contenders.size())
        .filter(i -> contenders.get(i).inBestSet())
        .boxed()
        .toList();
  }

  /**
   * Compares independent observations.
   *
   * @param settings at least one observation for each; numbers may differ
   * @param least deviation that one observation of each setting has at least, because of the
   *     resolution of what was observed
   */
  public static HsuBest independent(double confidence, List<double[]> settings, double[] least) {
    return compare(confidence, settings, least, HsuBest::carefully);
  }

  /** Compares observations in complete blocks: element b of each setting belongs to block b. */
  public static HsuBest blocked(double confidence, List<double[]> settings, double[] least) {
    return compare(confidence, settings, least, Difference::paired);
  }

  private static Difference carefully(double[] observations, double[] reference) {
    Difference welch = Difference.independent(observations, reference);
    double fewest = Math.min(observations.length, reference.length) - 1.0;
    return new Difference(
        welch.from(),
        welch.to(),
        welch.standardError(),
        Math.max(fewest, welch.degreesOfFreedom() - 1));
  }

  private interface Pair {
    Difference of(double[] observations, double[] reference);
  }

  private static HsuBest compare(
      double confidence, List<double[]> settings, double[] least, Pair pair) {
    double level = 1 - Sample.checkedConfidence(confidence);
    int rivals = settings.size() - 1;
    List<Contender> contenders = new ArrayList<>();
    boolean known = false;
    for (int i = 0; i < settings.size(); i++) {
      double smallest = 1;
      for (int j = 0; j < settings.size(); j++) {
        if (i != j) {
          double[] setting = settings.get(i);
          double[] rival = settings.get(j);
          double p =
              below(
                  pair.of(setting, rival),
                  Math.hypot(
                      least[i] / Math.sqrt(setting.length), least[j] / Math.sqrt(rival.length)));
          known |= !Double.isNaN(p);
          smallest = p < smallest ? p : smallest;
        }
      }
      double adjusted = smallest < 1 ? -Math.expm1(rivals * Math.log1p(-smallest)) : 1;
      contenders.add(new Contender(adjusted, adjusted > level));
    }
    return new HsuBest(contenders, known);
  }

  /** One-sided p of a difference; 1 if it is not negative, {@code NaN} if unknown. */
  private static double below(Difference difference, double leastError) {
    double error = Math.max(difference.standardError(), leastError);
    if (Double.isNaN(error)) {
      return Double.NaN;
    }
    if (difference.value() >= 0) {
      return 1;
    }
    return error == 0
        ? 0
        : StudentT.cumulative(difference.value() / error, difference.degreesOfFreedom());
  }
}
