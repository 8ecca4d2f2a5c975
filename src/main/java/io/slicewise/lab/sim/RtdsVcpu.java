package io.slicewise.lab.sim;

/** RTDS's view of a vCPU: a deferrable server. */
final class RtdsVcpu {
  final Vcpu vcpu;

  long periodNanos = 10_000_000;
  long budgetNanos = 4_000_000;
  boolean extratime;

  /** End of the current period. */
  long deadline;

  /** What is left of the budget. */
  long left;

  /** How often the budget was refilled early in this period; the lower, the more urgent. */
  int level;

  long chargedUntil;

  /** On the run queue, or among the depleted, that is. */
  boolean queued;

  RtdsVcpu(Vcpu vcpu, boolean extratime) {
    this.vcpu = vcpu;
    this.extratime = extratime;
  }

  /** Starts the period that {@code now} lies in. */
  void replenish(long now) {
    long periods = Math.max((now - deadline) / periodNanos + 1, 1);
    deadline += periods * periodNanos;
    left = budgetNanos;
    level = 0;
    chargedUntil = now;
  }

  void burn(long now) {
    left -= now - chargedUntil;
    chargedUntil = now;
    if (left <= 0) {
      left = extratime ? budgetNanos : 0;
      level += extratime ? 1 : 0;
    }
  }

  boolean beats(RtdsVcpu other) {
    return level < other.level || (level == other.level && deadline < other.deadline);
  }
}
