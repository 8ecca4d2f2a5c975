package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The place where a growing curve, measured several times at the same places, reaches a level.
 *
 * <p>Each replication gives a curve and a crossing of its own: its logarithms are made monotone by
 * pooling adjacent violators, and the place is interpolated on a straight line between the two
 * neighbours that bracket the level. Each replication contributes one crossing, so the interval is
 * Student's on logarithms; the curvature between two places is not included. A replication that
 * does not bracket the level has no crossing. Leaving it out would bias the result, so there is no
 * interval then.
 *
 * <p>Source: R. E. Barlow et al., <i>Statistical Inference under Order Restrictions</i> (1972),
 * chapter 1; A. M. Law, <i>Simulation Modeling and Analysis</i>, 5th edition (2015), section 9.4.1
 * (replications).
 *
 * <p>Worked example: at 100, 200 and 300 users e³, e⁵, e⁴ ms, level e⁴ ms: pooled to 3, 4.5, 4.5,
 * so the curve crosses at 100 + 100·(4 − 3)/1.5 = 166.67 users.
 *
 * @param outcome the replications relative to the level
 * @param estimate geometric mean of the crossings with its 95 % interval; {@code NaN} unless all
 *     replications cross, without an interval if there is only one
 * @param crossed number of replications that cross
 * @param curves number of replications
 */
public record Crossing(Outcome outcome, Estimate estimate, int crossed, int curves) {
  private static final double CONFIDENCE = 0.95;

  /** All replications relative to the level. */
  public enum Outcome {
    /** Each crosses the level between two places. */
    CROSSED,
    /** None reaches the level at any place. */
    BELOW,
    /** Each has reached the level at the first place. */
    ABOVE,
    /** Some cross the level and some do not. */
    MIXED,
    /** There are no replications. */
    UNKNOWN
  }

  /**
   * Returns the crossing of replicated curves.
   *
   * @param level positive
   * @param places positive and ascending
   * @param curves one row per replication with a positive value per place
   */
  public static Crossing of(double level, double[] places, double[][] curves) {
    List<Double> found = new ArrayList<>();
    int below = 0;
    for (double[] curve : curves) {
      double[] logs = monotone(Sample.logs(curve));
      int first = firstAtLeast(Math.log(level), logs);
      below += first == logs.length ? 1 : 0;
      if (first > 0 && first < logs.length) {
        double share = (Math.log(level) - logs[first - 1]) / (logs[first] - logs[first - 1]);
        found.add(places[first - 1] + share * (places[first] - places[first - 1]));
      }
    }
    double[] crossings = found.stream().mapToDouble(Double::doubleValue).toArray();
    Outcome outcome = outcome(crossings.length, below, curves.length);
    return new Crossing(
        outcome,
        outcome == Outcome.CROSSED ? LogInterval.of(CONFIDENCE, crossings) : none(),
        crossings.length,
        curves.length);
  }

  private static Estimate none() {
    return new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, CONFIDENCE);
  }

  private static Outcome outcome(int crossed, int below, int curves) {
    if (curves == 0) {
      return Outcome.UNKNOWN;
    }
    if (crossed == curves) {
      return Outcome.CROSSED;
    }
    if (crossed > 0) {
      return Outcome.MIXED;
    }
    return below == curves ? Outcome.BELOW : below == 0 ? Outcome.ABOVE : Outcome.MIXED;
  }

  private static int firstAtLeast(double level, double[] ascending) {
    int first = 0;
    while (first < ascending.length && ascending[first] < level) {
      first++;
    }
    return first;
  }

  /** The closest ascending curve by least squares: neighbours out of order get their mean. */
  private static double[] monotone(double[] values) {
    double[] means = new double[values.length];
    int[] sizes = new int[values.length];
    int pools = 0;
    for (double value : values) {
      means[pools] = value;
      sizes[pools++] = 1;
      while (pools > 1 && means[pools - 2] > means[pools - 1]) {
        int size = sizes[pools - 2] + sizes[pools - 1];
        means[pools - 2] =
            (sizes[pools - 2] * means[pools - 2] + sizes[pools - 1] * means[pools - 1]) / size;
        sizes[pools - 2] = size;
        pools--;
      }
    }
    double[] fitted = new double[values.length];
    int place = 0;
    for (int pool = 0; pool < pools; pool++) {
      Arrays.fill(fitted, place, place + sizes[pool], means[pool]);
      place += sizes[pool];
    }
    return fitted;
  }
}
