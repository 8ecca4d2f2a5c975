package io.slicewise.lab.sim;

/** One pCPU's run queue: by priority, first come first served within a priority. */
final class CreditQueue {
  private final CreditVcpu ring = new CreditVcpu(null, null);

  int tick;
  long phaseNanos;

  /** The accounting round this queue was last sorted after. */
  int sorted;

  CreditQueue() {
    ring.next = ring;
    ring.previous = ring;
  }

  CreditVcpu head() {
    return after(ring);
  }

  CreditVcpu after(CreditVcpu unit) {
    return unit.next == ring ? null : unit.next;
  }

  void insert(CreditVcpu unit) {
    CreditVcpu at = ring.next;
    while (at != ring && at.priority >= unit.priority) {
      at = at.next;
    }
    link(unit, at);
  }

  private static void link(CreditVcpu unit, CreditVcpu before) {
    unit.next = before;
    unit.previous = before.previous;
    before.previous.next = unit;
    before.previous = unit;
  }

  /** Removes a vCPU; returns whether it was the only one. */
  static boolean remove(CreditVcpu unit) {
    CreditVcpu next = unit.next;
    CreditVcpu previous = unit.previous;
    previous.next = next;
    next.previous = previous;
    unit.next = null;
    unit.previous = null;
    return next == previous;
  }

  /**
   * Moves vCPUs that are under or boosted ahead of those that are over; otherwise keeps the order.
   */
  void sort() {
    CreditVcpu lastUnder = ring;
    CreditVcpu unit = ring.next;
    while (unit != ring) {
      CreditVcpu following = unit.next;
      if (unit.priority >= CreditVcpu.UNDER) {
        if (unit.previous != lastUnder) {
          remove(unit);
          link(unit, lastUnder.next);
        }
        lastUnder = unit;
      }
      unit = following;
    }
  }
}
