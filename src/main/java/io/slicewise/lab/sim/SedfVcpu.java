package io.slicewise.lab.sim;

/** sEDF's view of a vCPU. */
final class SedfVcpu {
  static final long WEIGHT_PERIOD_NANOS = 100_000_000;

  final Vcpu vcpu;

  /**
   * Its node in the queue of ready vCPUs, by deadline, or of waiting ones, by start of the period.
   */
  final SedfLink turn = new SedfLink(this);

  /** Its node in the queue of owed time, where those that lost most of their period come first. */
  final SedfLink penalty = new SedfLink(this);

  /** Its node in the queue for spare time, by {@link SedfQueues}'s clock plus its score. */
  final SedfLink utilisation = new SedfLink(this);

  long periodNanos = WEIGHT_PERIOD_NANOS;
  long sliceNanos;
  long latencyNanos;
  boolean extratime = true;
  int extraWeight = 1;

  /** The real-time weight; 0 when period and slice are given. */
  int weight;

  /** The end of the period, which begins one period earlier; 0 until the first wake-up. */
  long deadline;

  /** The time it has run in this period. */
  long used;

  long startedNanos;

  /** The number of consecutive quanta of spare time granted; see {@link SedfQueues#choose}. */
  long quanta;

  long blockedNanos;

  /** Its node in the queue that granted it spare time; null in guaranteed time or off the pCPU. */
  SedfLink runsAs;

  /** Whether it lost guaranteed time to a short block and is owed compensation. */
  boolean owed;

  /** The score it returns to after each quantum; cached because it needs a division. */
  long fullScore = 1 << 17;

  /** Its score when it left the queue for spare time. */
  long score;

  SedfVcpu(Vcpu vcpu) {
    this.vcpu = vcpu;
  }

  /** Updates the full score; called after any of its inputs has changed. */
  void reviseFullScore() {
    fullScore =
        extraWeight == 0 ? (periodNanos << 10) / Math.max(sliceNanos, 1) : (1 << 17) / extraWeight;
  }

  long periodBegin() {
    return deadline - periodNanos;
  }
}
