package io.slicewise.stats;

import java.util.Locale;

/** The intervals a summary can be made with; {@code --interval} names them. */
public enum IntervalMethod {
  /** {@link StudentInterval}: the default. */
  STUDENT,
  /** {@link LogInterval}: for skewed metrics and few repetitions. */
  LOG,
  /** {@link PublishedInterval}: to rebuild the 2010 study's tables, and only for that. */
  PUBLISHED;

  /**
   * The estimate by this method. {@link #LOG} falls back to Student where a value is not positive.
   */
  public Estimate estimate(double confidence, double... observations) {
    return switch (this) {
      case STUDENT -> StudentInterval.of(confidence, observations);
      case LOG ->
          allPositive(observations)
              ? LogInterval.of(confidence, observations)
              : StudentInterval.of(confidence, observations);
      case PUBLISHED -> PublishedInterval.of(confidence, observations);
    };
  }

  /**
   * The method for shares, which may be 0 in one cell and not in the next: {@link #LOG} has none.
   */
  public IntervalMethod ofShares() {
    return this == LOG ? STUDENT : this;
  }

  /** As written in options and files. */
  public String key() {
    return name().toLowerCase(Locale.ROOT);
  }

  private static boolean allPositive(double[] observations) {
    for (double x : observations) {
      if (!(x > 0)) {
        return false;
      }
    }
    return true;
  }
}
