package io.slicewise.host.monitor;

import java.util.BitSet;

/**
 * Finds the timestamps that are in order: a longest non-decreasing subsequence (Fredman, Discrete
 * Mathematics 11, 1975), so that one wrong timestamp costs one row instead of all following ones.
 */
final class TimeOrder {
  private TimeOrder() {}

  /** Returns the indices to keep; the others go back in time relative to them. */
  static BitSet inOrder(double[] stamps) {
    int[] lastOfLength = new int[stamps.length];
    int[] previous = new int[stamps.length];
    int longest = 0;
    for (int i = 0; i < stamps.length; i++) {
      int length = firstLongerThan(stamps, lastOfLength, longest, stamps[i]);
      previous[i] = length == 0 ? -1 : lastOfLength[length - 1];
      lastOfLength[length] = i;
      longest = Math.max(longest, length + 1);
    }
    BitSet kept = new BitSet(stamps.length);
    for (int i = longest == 0 ? -1 : lastOfLength[longest - 1]; i >= 0; i = previous[i]) {
      kept.set(i);
    }
    return kept;
  }

  private static int firstLongerThan(double[] stamps, int[] ends, int count, double stamp) {
    int low = 0;
    int high = count;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (stamps[ends[middle]] <= stamp) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
