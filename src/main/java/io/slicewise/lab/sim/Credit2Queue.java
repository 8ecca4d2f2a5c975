package io.slicewise.lab.sim;

import java.util.ArrayList;
import java.util.List;

/** The shared run queue of a group of pCPUs, by credit, richest first. */
final class Credit2Queue {
  private static final double LOAD_WINDOW_NANOS = 1L << 30;

  private final Credit2Vcpu ring = new Credit2Vcpu(null, null);

  /** Every vCPU assigned to the queue, runnable or not. */
  final List<Credit2Vcpu> members = new ArrayList<>();

  long mask;
  long idle;
  int maxWeight = 1;

  /** Runnable and running vCPUs: now, and as a decayed average. */
  int runnable;

  double load;
  private long loadUpdated;

  Credit2Queue() {
    ring.next = ring;
    ring.previous = ring;
  }

  Credit2Vcpu head() {
    return after(ring);
  }

  Credit2Vcpu after(Credit2Vcpu unit) {
    return unit.next == ring ? null : unit.next;
  }

  void insert(Credit2Vcpu unit) {
    Credit2Vcpu at = ring.next;
    while (at != ring && at.credit >= unit.credit) {
      at = at.next;
    }
    unit.next = at;
    unit.previous = at.previous;
    at.previous.next = unit;
    at.previous = unit;
  }

  static void remove(Credit2Vcpu unit) {
    unit.previous.next = unit.next;
    unit.next.previous = unit.previous;
    unit.next = null;
    unit.previous = null;
  }

  void assign(Credit2Vcpu unit) {
    members.add(unit);
    unit.queue = this;
    weigh();
  }

  void dismiss(Credit2Vcpu unit) {
    members.remove(unit);
    unit.queue = null;
    weigh();
  }

  /** Finds the heaviest member. */
  void weigh() {
    maxWeight = 1;
    for (Credit2Vcpu unit : members) {
      maxWeight = Math.max(maxWeight, unit.domain.weight);
    }
  }

  /** Updates the load averages before the number of runnable vCPUs changes. */
  void track(long now, Credit2Vcpu unit, int change) {
    load = decay(load, runnable, now - loadUpdated);
    loadUpdated = now;
    runnable += change;
    if (unit != null) {
      int before = change < 0 ? 1 : 0;
      unit.load = decay(unit.load, before, now - unit.loadUpdated);
      unit.loadUpdated = now;
    }
  }

  static double decay(double average, int value, long nanos) {
    return nanos >= LOAD_WINDOW_NANOS
        ? value
        : average + (value - average) * (nanos / LOAD_WINDOW_NANOS);
  }
}
