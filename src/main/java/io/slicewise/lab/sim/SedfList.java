package io.slicewise.lab.sim;

import java.util.function.ToLongFunction;

/** A short list of vCPUs in ascending order of a key. Equal keys keep their order of insertion. */
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

  /** Returns the key of the second vCPU, or {@link Timers#NEVER} if the list has fewer than two. */
  long secondKey() {
    return ring.next.next.key;
  }

  /** Returns the least key, or {@link Timers#NEVER} if the list is empty. */
  long firstKey() {
    return ring.next.key;
  }

  /** Replaces all keys but keeps the order. */
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
