package io.slicewise.stats;

/** The kinds of interval a summary can have, selected with {@code --interval}. */
public enum IntervalMethod {
  /** {@link StudentInterval}: the default. */
  STUDENT,
  /** {@link LogInterval}: for skewed metrics and few repetitions. */
  LOG,
  /** {@link PublishedInterval}: only to rebuild the tables of the 2010 study. */
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

  /** The method for shares, which may be 0: {@link #STUDENT} instead of {@link #LOG}. */
  public IntervalMethod ofShares() {
    return this == LOG ? STUDENT : this;
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
