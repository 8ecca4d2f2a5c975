package io.slicewise.evidence.study;

import io.slicewise.stats.BoxSummary;
import java.util.Arrays;

/** The range of values that are not far out: within three interquartile ranges of the box. */
record Fences(double least, double median, double most) {
  private static final double FAR = 3;

  /** The fences of the finite values; {@code NaN} if there are none. */
  static Fences of(double... values) {
    double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
    if (known.length == 0) {
      return new Fences(Double.NaN, Double.NaN, Double.NaN);
    }
    BoxSummary box = BoxSummary.of(known);
    double reach = FAR * (box.q3() - box.q1());
    double[] within =
        Arrays.stream(known)
            .filter(value -> value >= box.q1() - reach && value <= box.q3() + reach)
            .toArray();
    return new Fences(
        Arrays.stream(within).min().orElseThrow(),
        box.median(),
        Arrays.stream(within).max().orElseThrow());
  }

  boolean excludes(double value) {
    return value < least || value > most;
  }
}
