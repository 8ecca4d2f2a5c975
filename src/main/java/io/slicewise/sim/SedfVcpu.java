package io.slicewise.sim;

/** sEDF's view of a vCPU. */
final class SedfVcpu {
  static final long WEIGHT_PERIOD_NANOS = 100_000_000;

  final Vcpu vcpu;

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
  long blockedNanos;

  /** The extra queue it runs from; null while it runs in its guaranteed time, or not at all. */
  SedfExtraQueue runsFrom;

  /** It lost guaranteed time to a short block, and waits to be paid back. */
  boolean owed;

  /** The score it starts from again after each quantum; a division, so kept. */
  long fullScore = 1 << 17;

  long utilisationScore;
  long penaltyScore;

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
