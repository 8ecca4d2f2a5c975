package io.slicewise.lab.sim;

import java.util.function.ToLongFunction;

/** A handful of vCPUs by a key, the least first; those with the same key as they came. */
final class SedfList {
  private final SedfLink ring = new SedfLink(null);

  SedfList() {
    ring.key = Timers.NEVER;
  }

  boolean isEmpty() {
    return !ring.queued();
  }

  boolean isSingle() {
    return ring.next == ring.previous && ring.queued();
  }

  SedfVcpu first() {
    return ring.next.unit;
  }

  /** The key of whoever comes after the first, {@link Timers#NEVER} if nobody does. */
  long secondKey() {
    return ring.next.next.key;
  }

  /** The least key, {@link Timers#NEVER} if there is none. */
  long firstKey() {
    return ring.next.key;
  }

  /** Gives all of them other keys, and leaves them in their order. */
  void revise(ToLongFunction<SedfVcpu> key) {
    for (SedfLink at = ring.next; at != ring; at = at.next) {
      at.key = key.applyAsLong(at.unit);
    }
  }

  void insert(SedfLink link, long key) {
    SedfLink at = ring.next;
    while (at != ring && at.key <= key) {
      at = at.next;
    }
    link.key = key;
    link.next = at;
    link.previous = at.previous;
    at.previous.next = link;
    at.previous = link;
  }
}
