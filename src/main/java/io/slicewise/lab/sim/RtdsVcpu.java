package io.slicewise.lab.sim;

/** RTDS's view of a vCPU: a deferrable server. */
final class RtdsVcpu {
  final Vcpu vcpu;

  long periodNanos = 10_000_000;
  long budgetNanos = 4_000_000;
  boolean extratime;

  /** End of the current period. */
  long deadline;

  /** The remaining budget. */
  long left;

  /** The number of early refills in this period; lower is more urgent. */
  int level;

  long chargedUntil;

  /** Whether it is on the run queue or among the depleted. */
  boolean queued;

  RtdsVcpu(Vcpu vcpu, boolean extratime) {
    this.vcpu = vcpu;
    this.extratime = extratime;
  }

  /** Starts the period that contains {@code now}. */
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
