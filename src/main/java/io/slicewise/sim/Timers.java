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

  /** A key holds a due time and, below it, the slot: the least key is the next timer. */
  private static final int SLOT_BITS = 10;

  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

  /** Times beyond some 100 days are as good as never. */
  private static final long LAST = (1L << (Long.SIZE - 1 - SLOT_BITS)) - 1;

  private long[] keys = new long[16];
  private LongConsumer[] handlers = new LongConsumer[16];
  private int slots;
  private long first = NEVER;
  private boolean stale;

  /** A slot for this handler, unset. */
  int open(LongConsumer handler) {
    int slot = 0;
    while (slot < slots && handlers[slot] != null) {
      slot++;
    }
    if (slot > SLOT_MASK) {
      throw new IllegalStateException("more than " + (SLOT_MASK + 1) + " timers");
    }
    if (slot == handlers.length) {
      handlers = Arrays.copyOf(handlers, slot * 2);
      keys = Arrays.copyOf(keys, slot * 2);
    }
    slots = Math.max(slots, slot + 1);
    handlers[slot] = handler;
    keys[slot] = NEVER;
    return slot;
  }

  /** Gives the slot back. */
  void close(int slot) {
    set(slot, NEVER);
    handlers[slot] = null;
  }

  boolean isSet(int slot) {
    return keys[slot] != NEVER;
  }

  /** Sets or moves a timer; {@link #NEVER} clears it. */
  void set(int slot, long nanos) {
    long key = nanos > LAST ? NEVER : nanos << SLOT_BITS | slot;
    stale |= keys[slot] == first;
    keys[slot] = key;
    if (key < first) {
      first = key;
      stale = false;
    }
  }

  /** Due time of the next timer, {@link #NEVER} if none. */
  long nextNanos() {
    if (stale) {
      search();
    }
    return first == NEVER ? NEVER : first >> SLOT_BITS;
  }

  private void search() {
    long least = NEVER;
    for (int slot = 0; slot < slots; slot++) {
      least = Math.min(least, keys[slot]); // without a branch to mispredict
    }
    first = least;
    stale = false;
  }

  /** Unsets the next timer and fires it; {@link #nextNanos} has told which. */
  void fire() {
    int slot = (int) first & SLOT_MASK;
    long nanos = first >> SLOT_BITS;
    keys[slot] = NEVER;
    stale = true;
    handlers[slot].accept(nanos);
  }
}
