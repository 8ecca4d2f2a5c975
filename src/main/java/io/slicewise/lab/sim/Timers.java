package io.slicewise.lab.sim;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * The hypervisor's timers: a few per pCPU, domain and pool, which are moved frequently.
 *
 * <p>Setting one is therefore a store, and only after the first has fired or moved back are all
 * searched for the next; with a few dozen of them that is faster than a heap. Equal times fire in
 * order of slot.
 */
final class Timers {
  /** When nothing is due, ever. */
  static final long NEVER = Long.MAX_VALUE;

  /** A key holds a due time and, below it, the slot: the least key is the next timer. */
  private static final int SLOT_BITS = 10;

  private static final int SLOT_MASK = (1 << SLOT_BITS) - 1;

  /** Times beyond about 100 days are treated as never. */
  private static final long LAST = (1L << (Long.SIZE - 1 - SLOT_BITS)) - 1;

  private final int own;
  private long[] keys;
  private LongConsumer[] handlers;
  private int slots;
  private long first = NEVER;
  private boolean stale;

  /** Reserves slots from 0 for timers that the owner handles itself. */
  Timers(int own) {
    this.own = own;
    slots = own;
    keys = new long[own + 16];
    handlers = new LongConsumer[own + 16];
    Arrays.fill(keys, NEVER);
  }

  /** A slot for this handler, unset. */
  int open(LongConsumer handler) {
    int slot = own;
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

  /** Releases the slot. */
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
      least = lesser(least, keys[slot]);
    }
    first = least;
    stale = false;
  }

  /** The lesser of two keys; {@link Math#min} becomes a branch, mispredicted every other time. */
  private static long lesser(long key, long other) {
    long difference = other - key;
    return key + (difference & (difference >> (Long.SIZE - 1)));
  }

  /** Clears the next timer, found by {@link #nextNanos}, and returns its slot. */
  int take() {
    int slot = (int) first & SLOT_MASK;
    keys[slot] = NEVER;
    stale = true;
    return slot;
  }

  /** Calls the handler of a slot. */
  void call(int slot, long nanos) {
    handlers[slot].accept(nanos);
  }
}
