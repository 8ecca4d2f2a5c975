package io.slicewise.jtl;

import java.math.BigInteger;
import org.HdrHistogram.Histogram;

/**
 * The few response times that are too long for a cell of their own. Squares are summed in two
 * halves of 32 bits: a day squared, a billion times, does not fit in 64.
 */
final class SlowTimes {
  static final int DIGITS = 3;

  private final Histogram histogram;
  private long sum;
  private long squaresLow;
  private long squaresHigh;
  private int smallest = Integer.MAX_VALUE;
  private int largest;

  SlowTimes() {
    histogram = new Histogram(DIGITS);
  }

  void record(int millis) {
    histogram.recordValue(millis);
    sum += millis;
    long square = (long) millis * millis;
    squaresLow += square & 0xffff_ffffL;
    squaresHigh += square >>> 32;
    smallest = Math.min(smallest, millis);
    largest = Math.max(largest, millis);
  }

  void add(SlowTimes other) {
    histogram.add(other.histogram);
    sum += other.sum;
    squaresLow += other.squaresLow;
    squaresHigh += other.squaresHigh;
    smallest = Math.min(smallest, other.smallest);
    largest = Math.max(largest, other.largest);
  }

  long count() {
    return histogram.getTotalCount();
  }

  long sum() {
    return sum;
  }

  BigInteger squares() {
    return BigInteger.valueOf(squaresHigh).shiftLeft(32).add(BigInteger.valueOf(squaresLow));
  }

  long smallest() {
    return smallest;
  }

  long largest() {
    return largest;
  }

  /** The value that so many are no larger than, to three digits; counted from 1. */
  long atRank(long rank) {
    return Math.min(largest, histogram.getValueAtPercentile(100 * (rank - 0.5) / count()));
  }

  /** A copy. */
  Histogram histogram() {
    return histogram.copy();
  }
}
