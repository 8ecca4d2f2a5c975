package io.slicewise.sim;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The hypervisor's timers: a few per pCPU, domain and pool, and moved all the time.
 *
 * <p>So setting one is a store, and only when the first has fired or moved back are all looked
 * through for the next; with a few dozen of them that beats any heap. Equal times fire in order of
 * slot.
 */
final class Timers {
  /** When nothing is due, ever. */
  static final long NEVER = Long.MAX_VALUE;

  private long[] due = new long[16];
  private LongConsumer[] handlers = new LongConsumer[16];
  private int slots;
  private int first;
  private long firstNanos = NEVER;
  private boolean stale;

  /** A slot for this handler, unset. */
  int open(LongConsumer handler) {
    int slot = 0;
    while (slot < slots && handlers[slot] != null) {
      slot++;
    }
    if (slot == handlers.length) {
      handlers = Arrays.copyOf(handlers, slot * 2);
      due = Arrays.copyOf(due, slot * 2);
    }
    slots = Math.max(slots, slot + 1);
    handlers[slot] = handler;
    due[slot] = NEVER;
    return slot;
  }

  /** Gives the slot back. */
  void close(int slot) {
    set(slot, NEVER);
    handlers[slot] = null;
  }

  boolean isSet(int slot) {
    return due[slot] != NEVER;
  }

  /** Sets or moves a timer; {@link #NEVER} clears it. */
  void set(int slot, long nanos) {
    due[slot] = nanos;
    if (slot == first) {
      stale |= nanos > firstNanos;
      firstNanos = nanos;
    } else if (nanos < firstNanos || (nanos == firstNanos && slot < first)) {
      first = slot;
      firstNanos = nanos;
    }
  }

  /** Due time of the next timer, {@link #NEVER} if none. */
  long nextNanos() {
    if (stale) {
      search();
    }
    return firstNanos;
  }

  private void search() {
    long least = NEVER;
    for (int slot = 0; slot < slots; slot++) {
      least = Math.min(least, due[slot]); // without a branch to mispredict
    }
    int slot = 0;
    while (due[slot] != least) {
      slot++;
    }
    first = slot;
    firstNanos = least;
    stale = false;
  }

  /** Unsets the next timer and fires it; {@link #nextNanos} has told which. */
  void fire() {
    long nanos = firstNanos;
    int slot = first;
    set(slot, NEVER);
    handlers[slot].accept(nanos);
  }
}
