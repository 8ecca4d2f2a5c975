package io.slicewise.lab.sim;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** A physical CPU and its state. */
final class Pcpu {
  final int id;
  final long bit;

  /** The pool it belongs to; null while free. */
  Pool pool;

  /** The running vCPU; null if idle. */
  Vcpu current;

  /** The time at which the running vCPU was dispatched. */
  long since;

  /** The time of the next scheduling decision; {@link Timers#NEVER} for none. */
  long sliceEnd = Timers.NEVER;

  long busyNanos;

  /** The scheduler's own data. */
  Object data;

  Pcpu(int id) {
    this.id = id;
    this.bit = 1L << id;
  }

  /** Sets of pCPUs, as bit masks inside and sets of numbers outside. */
  static final class Pcpus {
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
}
