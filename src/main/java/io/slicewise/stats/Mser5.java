package io.slicewise.stats;

/**
 * MSER-5: finds the end of a series' warm-up. The series is averaged in batches of five; the cut is
 * the number of leading batches d, out of the first half, whose removal minimizes the standard
 * error of the rest: z(d) = Σ_{i>d}(Y_i − Ȳ_d)² / (m − d)².
 *
 * <p>Source: K. P. White, <i>An effective truncation heuristic for bias reduction in simulation
 * output</i>, Simulation 69 (1997); K. P. White, M. J. Cobb and S. C. Spratt, <i>A comparison of
 * five steady-state truncation heuristics for simulation</i>, WSC 2000. A minimum at the end of the
 * search means that the series never settles. Here that is an outcome of its own, and the end is
 * the last fifth, because noise moves the minimum of a series that climbs throughout.
 *
 * <p>Worked example: ten times 0 and then forty times 10 make batches 0, 0, 10 × 8; z(2) = 0, so
 * the cut is after 2 batches: 10 values.
 *
 * @param cut leading values to drop; a multiple of five, 0 if nothing must be dropped or the series
 *     is too short
 */
public record Mser5(Outcome outcome, int cut) {
  private static final int BATCH = 5;
  private static final int FEWEST_BATCHES = 4;

  /** The result of the search. */
  public enum Outcome {
    STEADY,
    /** The smallest standard error is in the last fifth of the search: the series still moves. */
    NOT_STEADY,
    /** Fewer than twenty values: too few for a result. */
    TOO_SHORT
  }

  /** The cut of a series in order of time, e.g. requests in each second. */
  public static Mser5 of(double... series) {
    int batches = Sample.checked(series).length / BATCH;
    if (batches < FEWEST_BATCHES) {
      return new Mser5(Outcome.TOO_SHORT, 0);
    }
    double[] means = batchMeans(series, batches);
    int last = batches / 2;
    int best = 0;
    double least = squaredError(means, 0);
    for (int d = 1; d <= last; d++) {
      double z = squaredError(means, d);
      if (z < least) {
        least = z;
        best = d;
      }
    }
    boolean atTheEnd = 5 * best >= 4 * last;
    return new Mser5(atTheEnd ? Outcome.NOT_STEADY : Outcome.STEADY, best * BATCH);
  }

  private static double[] batchMeans(double[] series, int batches) {
    double[] means = new double[batches];
    for (int i = 0; i < batches * BATCH; i++) {
      means[i / BATCH] += series[i] / BATCH;
    }
    return means;
  }

  private static double squaredError(double[] means, int from) {
    int n = means.length - from;
    double sum = 0;
    for (int i = from; i < means.length; i++) {
      sum += means[i];
    }
    double mean = sum / n;
    double squares = 0;
    for (int i = from; i < means.length; i++) {
      squares += (means[i] - mean) * (means[i] - mean);
    }
    return squares / n / n;
  }
}
