package io.slicewise.sim;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * An indexed 4-ary heap of timers. A timer is a slot with a handler; it can be set, moved and
 * cleared in logarithmic time and nothing is allocated once the arrays have grown. Equal times fire
 * in order of slot.
 */
final class EventQueue {
  /** When nothing is due, ever. */
  static final long NEVER = Long.MAX_VALUE;

  private static final int ARITY = 4;
  private static final int ABSENT = -1;

  private LongConsumer[] handlers = new LongConsumer[16];
  private int[] position = new int[16];
  private int[] free = new int[16];
  private int freeCount;
  private int slots;

  private long[] times = new long[16];
  private int[] heap = new int[16];
  private int size;

  /** A slot for this handler, unset. */
  int open(LongConsumer handler) {
    int slot = freeCount > 0 ? free[--freeCount] : slots++;
    if (slot == handlers.length) {
      grow();
    }
    handlers[slot] = handler;
    position[slot] = ABSENT;
    return slot;
  }

  /** Gives the slot back. */
  void close(int slot) {
    clear(slot);
    handlers[slot] = null;
    free[freeCount++] = slot;
  }

  private void grow() {
    int length = handlers.length * 2;
    handlers = Arrays.copyOf(handlers, length);
    position = Arrays.copyOf(position, length);
    free = Arrays.copyOf(free, length);
    times = Arrays.copyOf(times, length);
    heap = Arrays.copyOf(heap, length);
  }

  /** Due time of the next timer, {@link #NEVER} if none. */
  long nextNanos() {
    return size == 0 ? NEVER : times[0];
  }

  boolean isSet(int slot) {
    return position[slot] != ABSENT;
  }

  /** Sets or moves a timer; {@link #NEVER} clears it. */
  void set(int slot, long nanos) {
    if (nanos == NEVER) {
      clear(slot);
      return;
    }
    int at = position[slot];
    if (at == ABSENT) {
      up(size++, slot, nanos);
    } else if (nanos < times[at]) {
      up(at, slot, nanos);
    } else {
      down(at, slot, nanos);
    }
  }

  void clear(int slot) {
    int at = position[slot];
    if (at == ABSENT) {
      return;
    }
    position[slot] = ABSENT;
    size--;
    if (at == size) {
      return;
    }
    int last = heap[size];
    long lastTime = times[size];
    if (at > 0 && before(lastTime, last, (at - 1) / ARITY)) {
      up(at, last, lastTime);
    } else {
      down(at, last, lastTime);
    }
  }

  /** Takes the next timer off the heap and fires it. */
  void fire() {
    long nanos = times[0];
    int slot = heap[0];
    clear(slot);
    handlers[slot].accept(nanos);
  }

  /** Takes the next timer off the heap, gives its slot back, and fires it. */
  void fireOnce() {
    long nanos = times[0];
    int slot = heap[0];
    LongConsumer handler = handlers[slot];
    close(slot);
    handler.accept(nanos);
  }

  private boolean before(long time, int slot, int other) {
    return time < times[other] || (time == times[other] && slot < heap[other]);
  }

  private void up(int from, int slot, long time) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) / ARITY;
      if (!before(time, slot, parent)) {
        break;
      }
      put(at, heap[parent], times[parent]);
      at = parent;
    }
    put(at, slot, time);
  }

  private void down(int from, int slot, long time) {
    int at = from;
    while (true) {
      int child = at * ARITY + 1;
      if (child >= size) {
        break;
      }
      int least = leastOf(child, Math.min(child + ARITY, size));
      if (before(time, slot, least)) {
        break;
      }
      put(at, heap[least], times[least]);
      at = least;
    }
    put(at, slot, time);
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

  private void put(int at, int slot, long time) {
    heap[at] = slot;
    times[at] = time;
    position[slot] = at;
  }
}
