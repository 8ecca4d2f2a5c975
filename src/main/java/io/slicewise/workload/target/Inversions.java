package io.slicewise.workload.target;

/** Counts the pairs of a list that are in the wrong order, by merge sort. */
final class Inversions {
  private Inversions() {}

  /** Sorts the list and returns the number of pairs that were in the wrong order. */
  static long count(long[] list) {
    return count(list, new long[list.length], 0, list.length);
  }

  private static long count(long[] list, long[] spare, int from, int to) {
    if (to - from < 2) {
      return 0;
    }
    int middle = (from + to) >>> 1;
    long count = count(list, spare, from, middle) + count(list, spare, middle, to);
    int left = from;
    int right = middle;
    for (int i = from; i < to; i++) {
      boolean fromLeft = right == to || (left < middle && list[left] <= list[right]);
      if (!fromLeft) {
        count += middle - left;
      }
      spare[i] = fromLeft ? list[left++] : list[right++];
    }
    System.arraycopy(spare, from, list, from, to - from);
    return count;
  }
}
