package io.slicewise.load.jtl;

import java.util.BitSet;

/**
 * What the rows of a file are that do not say so themselves, by their number among the sound ones.
 *
 * @param parts rows that are part of a request in a row above
 * @param sums rows that sum up a transaction, though no message says so
 */
record Roles(BitSet parts, BitSet sums) {
  boolean isPart(long row) {
    return row <= Integer.MAX_VALUE && parts.get((int) row);
  }

  boolean isSum(long row) {
    return row <= Integer.MAX_VALUE && sums.get((int) row);
  }

  /** How many rows from this one on are requests. */
  int requestsFrom(long row, int most) {
    if (row > Integer.MAX_VALUE) {
      return most;
    }
    int part = parts.nextSetBit((int) row);
    int sum = sums.nextSetBit((int) row);
    int length = part < 0 ? most : (int) Math.min(most, part - row);
    return sum < 0 ? length : (int) Math.min(length, sum - row);
  }
}
