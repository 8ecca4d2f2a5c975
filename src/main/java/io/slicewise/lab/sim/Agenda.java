package io.slicewise.lab.sim;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The actions requested by callers, by time and then by order of request: a 4-ary heap that
 * allocates nothing once it has grown.
 */
final class Agenda {
  private static final int ARITY = 4;

  private long[] times = new long[64];
  private int[] heap = new int[64];
  private LongConsumer[] actions = new LongConsumer[64];
  private long[] asked = new long[64];
  private int[] free = new int[64];
  private int size;
  private long count;

  Agenda() {
    for (int i = 0; i < free.length; i++) {
      free[i] = i;
    }
  }

  /** Due time of the next action, {@link Timers#NEVER} if none. */
  long nextNanos() {
    return size == 0 ? Timers.NEVER : times[0];
  }

  void add(long nanos, LongConsumer action) {
    if (size == heap.length) {
      grow();
    }
    int slot = free[size];
    actions[slot] = action;
    asked[slot] = count++;
    int at = size++;
    while (at > 0) {
      int parent = (at - 1) / ARITY;
      if (!before(nanos, slot, parent)) {
        break;
      }
      heap[at] = heap[parent];
      times[at] = times[parent];
      at = parent;
    }
    heap[at] = slot;
    times[at] = nanos;
  }

  private void grow() {
    int length = heap.length * 2;
    times = Arrays.copyOf(times, length);
    heap = Arrays.copyOf(heap, length);
    actions = Arrays.copyOf(actions, length);
    asked = Arrays.copyOf(asked, length);
    free = Arrays.copyOf(free, length);
    for (int i = size; i < length; i++) {
      free[i] = i;
    }
  }

  /** Removes the next action and calls it. */
  void fire() {
    long nanos = times[0];
    int slot = heap[0];
    LongConsumer action = actions[slot];
    actions[slot] = null;
    size--;
    free[size] = slot;
    if (size > 0) {
      sink(heap[size], times[size]);
    }
    action.accept(nanos);
  }

  private void sink(int slot, long nanos) {
    int at = 0;
    while (true) {
      int child = at * ARITY + 1;
      if (child >= size) {
        break;
      }
      int least = leastOf(child, Math.min(child + ARITY, size));
      if (before(nanos, slot, least)) {
        break;
      }
      heap[at] = heap[least];
      times[at] = times[least];
      at = least;
    }
    heap[at] = slot;
    times[at] = nanos;
  }

  private int leastOf(int from, int to) {
    int least = from;
    for (int i = from + 1; i < to; i++) {
      if (before(times[i], heap[i], least)) {
        least = i;
      }
    }
    return least;
  }

  private boolean before(long nanos, int slot, int other) {
    return nanos < times[other] || (nanos == times[other] && asked[slot] < asked[heap[other]]);
  }
}
