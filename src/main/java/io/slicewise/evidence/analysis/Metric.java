package io.slicewise.evidence.analysis;

import io.slicewise.base.units.EnumName;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.util.Arrays;

/** The metrics of a cell that are not specific to a domain. */
public enum Metric {
  THROUGHPUT("/s", true),
  MEAN("ms", false),
  P50("ms", false),
  P95("ms", false),
  P99("ms", false),
  ERRORS("share", false);

  private final String unit;
  private final boolean moreIsBetter;

  Metric(String unit, boolean moreIsBetter) {
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
  }

  /**
   * Returns the metric of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Metric of(String key) {
    return Arrays.stream(values())
        .filter(metric -> metric.key().equals(key))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "is not a metric; metrics are throughput, mean, p50, p95, p99 and errors"));
  }

  /** Returns whether the metric comes from a histogram of whole milliseconds. */
  boolean isPercentile() {
    return this == P50 || this == P95 || this == P99;
  }

  /**
   * Returns the smallest difference that the metric shows: one request in a window of that many
   * seconds, or one millisecond.
   */
  double resolution(double seconds) {
    return switch (this) {
      case THROUGHPUT -> 1 / seconds;
      case MEAN, P50, P95, P99 -> 1;
      case ERRORS -> 0;
    };
  }

  /** Returns the estimate over trials by a method, or by its variant for shares. */
  Estimate estimate(IntervalMethod method, double confidence, double... values) {
    return (this == ERRORS ? method.ofShares() : method).estimate(confidence, values);
  }

  /** Returns whether several values are all equal within the metric's resolution. */
  boolean isCoarse(double... values) {
    return values.length > 1
        && values[0] > 0
        && (!isPercentile() || values[0] == Math.rint(values[0]))
        && Arrays.stream(values).allMatch(x -> x == values[0]);
  }

  /** Returns the name in files and options. */
  public String key() {
    return EnumName.of(this);
  }

  public String unit() {
    return unit;
  }

  public boolean moreIsBetter() {
    return moreIsBetter;
  }
}
