package io.slicewise.tune.course;

import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.List;

/**
 * The effect of a choice in trials that were not used to choose it: the mean log ratio to the
 * settings found over the blocks, with Student's interval.
 *
 * @param choice name of the candidate
 * @param before the metric in the settings found, geometric mean
 * @param after the metric in the choice
 * @param effect relative change, with its interval
 * @param better whether the whole interval is on the better side
 * @param broken guards that the whole interval breaks, as sentences
 * @param unclear guards that part of the interval breaks, as sentences
 */
public record Confirmation(
    String choice,
    double before,
    double after,
    Estimate effect,
    boolean better,
    List<String> broken,
    List<String> unclear) {
  public Confirmation {
    broken = List.copyOf(broken);
    unclear = List.copyOf(unclear);
  }

  /** One block with the metric of both. */
  record Pair(double before, double after) {}

  static Confirmation of(
      String choice,
      List<Pair> pairs,
      boolean lowerIsBetter,
      double confidence,
      List<String> broken,
      List<String> unclear) {
    Estimate logs = change(pairs, confidence);
    Estimate effect =
        new Estimate(
            Math.expm1(logs.mean()),
            logs.deviation(),
            logs.n(),
            Math.expm1(logs.low()),
            Math.expm1(logs.high()),
            confidence);
    return new Confirmation(
        choice,
        geometric(pairs.stream().mapToDouble(Pair::before).toArray()),
        geometric(pairs.stream().mapToDouble(Pair::after).toArray()),
        effect,
        lowerIsBetter ? effect.high() < 0 : effect.low() > 0,
        broken,
        unclear);
  }

  /** Returns the mean log ratio of pairs with its interval. */
  static Estimate change(List<Pair> pairs, double confidence) {
    return StudentInterval.of(
        confidence, pairs.stream().mapToDouble(one -> Math.log(one.after / one.before)).toArray());
  }

  private static double geometric(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += Math.log(value);
    }
    return Math.exp(sum / values.length);
  }

  /** Returns whether the choice is better than the settings found, and is shown to keep guards. */
  public boolean confirmed() {
    return better && broken.isEmpty() && unclear.isEmpty();
  }

  /** Returns whether the whole interval is worse than an improvement by that share. */
  public boolean isNotBetter(double share, boolean lowerIsBetter) {
    return lowerIsBetter ? effect.low() > -share : effect.high() < share;
  }

  /** Returns whether the whole interval is within that share of "no change". */
  public boolean isSame(double share) {
    return effect.low() > -share && effect.high() < share;
  }
}
