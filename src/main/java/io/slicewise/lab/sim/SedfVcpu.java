package io.slicewise.lab.sim;

/** sEDF's view of a vCPU. */
final class SedfVcpu {
  static final long WEIGHT_PERIOD_NANOS = 100_000_000;

  final Vcpu vcpu;

  /** In the queue of those ready, by deadline, or of those waiting, by begin of the period. */
  final SedfLink turn = new SedfLink(this);

  /** In the queue of those owed time, by how little of their period they lost. */
  final SedfLink penalty = new SedfLink(this);

  /** In the queue for spare time, by {@link SedfQueues}'s clock plus score. */
  final SedfLink utilisation = new SedfLink(this);

  long periodNanos = WEIGHT_PERIOD_NANOS;
  long sliceNanos;
  long latencyNanos;
  boolean extratime = true;
  int extraWeight = 1;

  /** Of the real-time kind: 0 when period and slice were given. */
  int weight;

  /** End of the period; the period begins one period before. 0 until the first wake-up. */
  long deadline;

  /** What it has run in this period. */
  long used;

  long startedNanos;

  /** How many quanta of spare time in a row it has got; see {@link SedfQueues#choose}. */
  long quanta;

  long blockedNanos;

  /**
   * Its place in the queue it got spare time from; null in its guaranteed time, or off the pCPU.
   */
  SedfLink runsAs;

  /** It lost guaranteed time to a short block, and waits to be paid back. */
  boolean owed;

  /** The score it starts from again after each quantum; a division, so kept. */
  long fullScore = 1 << 17;

  /** Its score when it left the queue for spare time. */
  long score;

  SedfVcpu(Vcpu vcpu) {
    this.vcpu = vcpu;
  }

  /** To be called when anything that the full score comes from has changed. */
  void reviseFullScore() {
    fullScore =
        extraWeight == 0 ? (periodNanos << 10) / Math.max(sliceNanos, 1) : (1 << 17) / extraWeight;
  }

  long periodBegin() {
    return deadline - periodNanos;
  }
}
