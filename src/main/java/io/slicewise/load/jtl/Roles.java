package io.slicewise.load.jtl;

import java.util.BitSet;

/**
 * The roles of rows that do not state theirs, by their index among the valid rows.
 *
 * @param parts rows that are part of a request in an earlier row
 * @param sums rows that sum up a transaction but have no message
 */
record Roles(BitSet parts, BitSet sums, Overlaps overlaps) {
  boolean isPart(long row) {
    return row <= Integer.MAX_VALUE && parts.get((int) row);
  }

  boolean isSum(long row) {
    return row <= Integer.MAX_VALUE && sums.get((int) row);
  }

  /** The number of consecutive requests from this row on. */
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
