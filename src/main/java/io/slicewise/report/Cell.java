package io.slicewise.report;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.stats.Estimate;

/** A cell of a table. */
sealed interface Cell {
  /** A name in the leading columns. */
  record Name(String text) implements Cell {}

  /** A count. */
  record Count(long value) implements Cell {}

  /** A change in percent with its 95 % interval; {@code NaN} if unknown. */
  record Change(double percent, double low, double high) implements Cell {
    static Change of(Comparison comparison) {
      return new Change(comparison.percent(), comparison.low(), comparison.high());
    }
  }

  /**
   * An estimate with its interval.
   *
   * @param scale factor on screens (100 for percent); files keep the value
   * @param digits decimals on screens
   */
  record Measured(Estimate estimate, double scale, int digits) implements Cell {}
}
