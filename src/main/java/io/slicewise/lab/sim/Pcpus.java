package io.slicewise.lab.sim;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Sets of pCPUs, as bit masks inside and sets of numbers outside. */
final class Pcpus {
  private Pcpus() {}

  static SortedSet<Integer> set(long mask) {
    SortedSet<Integer> set = new TreeSet<>();
    for (long left = mask; left != 0; left &= left - 1) {
      set.add(Long.numberOfTrailingZeros(left));
    }
    return Collections.unmodifiableSortedSet(set);
  }

  /**
   * The mask of these pCPUs.
   *
   * @throws HypervisorRefusal EINVAL for a number that is not below {@code count}
   */
  static long mask(Set<Integer> pcpus, int count) {
    long mask = 0;
    for (int pcpu : pcpus) {
      if (pcpu < 0 || pcpu >= count) {
        throw HypervisorRefusal.invalid("no pCPU " + pcpu + " among " + count);
      }
      mask |= 1L << pcpu;
    }
    return mask;
  }

  static long all(int count) {
    return count == Long.SIZE ? -1L : (1L << count) - 1;
  }
}
