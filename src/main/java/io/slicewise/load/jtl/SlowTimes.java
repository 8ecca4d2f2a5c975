package io.slicewise.load.jtl;

import java.io.Serializable;
import java.math.BigInteger;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * The few response times that are too long for their own cell, counted by value: exactly for up to
 * {@link #MOST_VALUES} different ones, to three significant digits beyond that. Squares are summed
 * in two halves of 32 bits: a day squared, a billion times, does not fit in 64.
 */
final class SlowTimes implements Serializable {
  private static final long serialVersionUID = 1L;

  static final int DIGITS = 3;

  /** The maximum number of values that are distinguished; half a megabyte of them. */
  static final int MOST_VALUES = 1 << 15;

  private final Histogram histogram = new Histogram(DIGITS);

  /** Values and, in the same slot, their counts; a value of 0 is a free slot. */
  private int[] values = new int[64];

  private long[] counts = new long[64];
  private int different;

  private long sum;
  private long squaresLow;
  private long squaresHigh;
  private int smallest = Integer.MAX_VALUE;
  private int largest;

  /**
   * @param millis above 0
   */
  void record(int millis) {
    histogram.recordValue(millis);
    count(millis, 1);
    sum += millis;
    long square = (long) millis * millis;
    squaresLow += square & 0xffff_ffffL;
    squaresHigh += square >>> 32;
    smallest = Math.min(smallest, millis);
    largest = Math.max(largest, millis);
  }

  private void count(int millis, long more) {
    if (!isExact()) {
      return;
    }
    int slot = slot(millis);
    if (values[slot] == 0) {
      if (2 * ++different > values.length) {
        grow();
        slot = slot(millis);
      }
      values[slot] = millis;
    }
    counts[slot] += more;
  }

  private int slot(int millis) {
    int slot = millis & (values.length - 1);
    while (values[slot] != 0 && values[slot] != millis) {
      slot = (slot + 1) & (values.length - 1);
    }
    return slot;
  }

  private void grow() {
    int[] oldValues = values;
    long[] oldCounts = counts;
    values = new int[2 * oldValues.length];
    counts = new long[2 * oldCounts.length];
    for (int i = 0; i < oldValues.length; i++) {
      if (oldValues[i] != 0) {
        int slot = slot(oldValues[i]);
        values[slot] = oldValues[i];
        counts[slot] = oldCounts[i];
      }
    }
  }

  void add(SlowTimes other) {
    histogram.add(other.histogram);
    if (!other.isExact()) {
      different = MOST_VALUES + 1;
    }
    for (int i = 0; i < other.values.length; i++) {
      if (other.values[i] != 0) {
        count(other.values[i], other.counts[i]);
      }
    }
    sum += other.sum;
    squaresLow += other.squaresLow;
    squaresHigh += other.squaresHigh;
    smallest = Math.min(smallest, other.smallest);
    largest = Math.max(largest, other.largest);
  }

  /** Whether all values are distinguished. */
  boolean isExact() {
    return different <= MOST_VALUES;
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

  /**
   * The value at a rank, counted from 1; rounded to three significant digits if values are not
   * distinguished.
   */
  long atRank(long rank) {
    if (!isExact()) {
      long value = histogram.getValueAtPercentile(100 * (rank - 0.5) / count());
      return Math.max(smallest, Math.min(largest, rounded(value)));
    }
    int[] sorted = Arrays.stream(values).filter(value -> value != 0).sorted().toArray();
    long left = rank;
    for (int value : sorted) {
      left -= counts[slot(value)];
      if (left <= 0) {
        return value;
      }
    }
    return largest;
  }

  private static long rounded(long value) {
    long unit = 1;
    while (value / unit >= 1000) {
      unit *= 10;
    }
    return (value + unit / 2) / unit * unit;
  }

  /** A copy. */
  Histogram histogram() {
    return histogram.copy();
  }
}
