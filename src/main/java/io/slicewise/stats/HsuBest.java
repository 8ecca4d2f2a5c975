package io.slicewise.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Hsu's multiple comparisons with the best: which of several settings are indistinguishable from
 * the best. More is better; negate metrics where less is better.
 *
 * <p>For setting i, D_i = μ_i − max_{j≠i} μ_j is, for all i simultaneously at the given confidence,
 * between an upper end max(0, min_{j≠i}(ȳ_i − ȳ_j + d_i·s·√(1/n_i + 1/n_j))), with d_i by {@link
 * DunnettQuantile} and i as the control, and a lower end min(0, min_{j∈G, j≠i}(ȳ_i − ȳ_j −
 * d_j·s·√(1/n_i + 1/n_j))). G is the best set: the settings whose upper end is above zero, and
 * those that no other exceeds, which matters if there is no scatter and several are equal. Equal
 * numbers share one d; for unequal ones each setting has its own. The scatter s is pooled over
 * settings; in complete blocks it is that of the two-way layout with (k−1)(B−1) degrees of freedom.
 *
 * <p>Source: J. C. Hsu, <i>Constrained simultaneous confidence intervals for multiple comparisons
 * with the best</i>, Annals of Statistics 12 (1984); <i>Multiple Comparisons</i> (1996), chapter 4.
 *
 * <p>Worked example: means 10, 12, 12.5 of five each with s = 1: d = 2.108 with 12 degrees of
 * freedom, w = 1.333; against the best other, the first reaches up to 10 − 12.5 + 1.333 &lt; 0, so
 * it is out; the second reaches 12 − 12.5 + 1.333 = 0.833, so it stays, like the third.
 *
 * @param contenders in the order given
 * @param scatter s, the pooled deviation of one observation; {@code NaN} when there is none
 * @param degreesOfFreedom of the pooled scatter; 0 when there is none, and then all are in the set
 */
public record HsuBest(List<Contender> contenders, double scatter, int degreesOfFreedom) {
  public HsuBest {
    contenders = List.copyOf(contenders);
  }

  /**
   * One setting.
   *
   * @param mean of its observations
   * @param low lower end of its distance to the best of the others; {@code NaN} if unknown
   * @param high upper end
   */
  public record Contender(double mean, double low, double high, boolean inBestSet) {}

  /** The positions of the settings that are indistinguishable from the best. */
  public List<Integer> bestSet() {
    List<Integer> best = new ArrayList<>();
    for (int i = 0; i < contenders.size(); i++) {
      if (contenders.get(i).inBestSet()) {
        best.add(i);
      }
    }
    return best;
  }

  /**
   * Compares independent observations, at least one for each setting; numbers may differ.
   *
   * @param least deviation that one observation has at least, because of the resolution of what was
   *     observed
   */
  public static HsuBest independent(double confidence, double least, List<double[]> settings) {
    double[] means = settings.stream().mapToDouble(y -> Sample.mean(Sample.checked(y))).toArray();
    double squares = 0;
    int freedom = 0;
    for (int i = 0; i < means.length; i++) {
      for (double y : settings.get(i)) {
        squares += (y - means[i]) * (y - means[i]);
      }
      freedom += settings.get(i).length - 1;
    }
    int[] numbers = settings.stream().mapToInt(y -> y.length).toArray();
    return compare(confidence, means, numbers, Math.max(squares, least * least * freedom), freedom);
  }

  /**
   * Compares observations in complete blocks.
   *
   * @param least deviation that one observation has at least
   * @param settings one array per setting, all of the same length; element b belongs to block b
   */
  public static HsuBest blocked(double confidence, double least, List<double[]> settings) {
    int blocks = settings.get(0).length;
    double[] means = settings.stream().mapToDouble(y -> Sample.mean(Sample.checked(y))).toArray();
    double grand = Sample.mean(means);
    double squares = 0;
    for (int b = 0; b < blocks; b++) {
      double[] block = new double[means.length];
      for (int i = 0; i < means.length; i++) {
        block[i] = settings.get(i)[b];
      }
      double blockMean = Sample.mean(block);
      for (int i = 0; i < means.length; i++) {
        double residual = block[i] - means[i] - blockMean + grand;
        squares += residual * residual;
      }
    }
    int[] numbers = new int[means.length];
    Arrays.fill(numbers, blocks);
    int freedom = (means.length - 1) * (blocks - 1);
    return compare(confidence, means, numbers, Math.max(squares, least * least * freedom), freedom);
  }

  private static HsuBest compare(
      double confidence, double[] means, int[] numbers, double squares, int freedom) {
    Sample.checkedConfidence(confidence);
    if (means.length < 2 || freedom < 1) {
      double scatter = freedom < 1 ? Double.NaN : Math.sqrt(squares / freedom);
      return new HsuBest(
          Arrays.stream(means)
              .mapToObj(mean -> new Contender(mean, Double.NaN, Double.NaN, true))
              .toList(),
          scatter,
          Math.max(0, freedom));
    }
    double scatter = Math.sqrt(squares / freedom);
    double[] reach = reach(confidence, scatter, numbers, freedom);
    double most = Arrays.stream(means).max().orElseThrow();
    double[] high = new double[means.length];
    boolean[] best = new boolean[means.length];
    for (int i = 0; i < means.length; i++) {
      high[i] = high(means, numbers, i, reach[i]);
      best[i] = high[i] > 0 || means[i] == most;
    }
    List<Contender> contenders = new ArrayList<>();
    for (int i = 0; i < means.length; i++) {
      double low = low(means, numbers, i, reach, best);
      contenders.add(new Contender(means[i], low, Math.max(0, high[i]), best[i]));
    }
    return new HsuBest(contenders, scatter, freedom);
  }

  /** d_i·s of every setting; one value for all where their numbers are equal. */
  private static double[] reach(double confidence, double scatter, int[] numbers, int freedom) {
    boolean equal = Arrays.stream(numbers).distinct().count() == 1;
    double[] reach = new double[numbers.length];
    for (int i = 0; i < reach.length; i++) {
      reach[i] =
          equal && i > 0
              ? reach[0]
              : scatter * DunnettQuantile.of(confidence, freedom, lambdas(numbers, i));
    }
    return reach;
  }

  private static double high(double[] means, int[] numbers, int i, double reach) {
    double high = Double.POSITIVE_INFINITY;
    for (int j = 0; j < means.length; j++) {
      if (j != i) {
        high = Math.min(high, means[i] - means[j] + reach * width(numbers, i, j));
      }
    }
    return high;
  }

  /** The lower end, against the settings that may be the best, each with its own critical value. */
  private static double low(double[] means, int[] numbers, int i, double[] reach, boolean[] best) {
    double low = 0;
    for (int j = 0; j < means.length; j++) {
      if (j != i && best[j]) {
        low = Math.min(low, means[i] - means[j] - reach[j] * width(numbers, i, j));
      }
    }
    return low;
  }

  private static double width(int[] numbers, int i, int j) {
    return Math.sqrt(1.0 / numbers[i] + 1.0 / numbers[j]);
  }

  private static double[] lambdas(int[] numbers, int control) {
    double[] lambdas = new double[numbers.length - 1];
    int at = 0;
    for (int j = 0; j < numbers.length; j++) {
      if (j != control) {
        lambdas[at++] = Math.sqrt(numbers[j] / (double) (numbers[j] + numbers[control]));
      }
    }
    return lambdas;
  }
}
