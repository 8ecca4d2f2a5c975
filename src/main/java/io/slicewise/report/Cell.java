package io.slicewise.report;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.stats.Estimate;

/** What stands in one place of a table. */
sealed interface Cell {
  /** A name; the reader's eye starts here. */
  record Name(String text) implements Cell {}

  /** A count. */
  record Count(long value) implements Cell {}

  /** A change in percent with its 95 % interval; {@code NaN} for what is not known. */
  record Change(double percent, double low, double high) implements Cell {
    static Change of(Comparison comparison) {
      return new Change(comparison.percent(), comparison.low(), comparison.high());
    }
  }

  /**
   * An estimate with its interval.
   *
   * @param scale by which it is multiplied on screens (100 for percent); files keep it as it is
   * @param digits after the point, on screens
   */
  record Measured(Estimate estimate, double scale, int digits) implements Cell {}
}
