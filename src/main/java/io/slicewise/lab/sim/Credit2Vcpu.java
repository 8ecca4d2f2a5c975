package io.slicewise.lab.sim;

/** Credit2's view of a vCPU, and its link in a {@link Credit2Queue}. Credits are nanoseconds. */
final class Credit2Vcpu {
  static final long CREDIT_INIT = 10_000_000;
  static final long CREDIT_MOST = CREDIT_INIT + 500_000;
  static final long CREDIT_LEAST = -CREDIT_INIT;

  final Vcpu vcpu;
  final Credit2Domain domain;

  Credit2Queue queue;
  long credit = CREDIT_INIT;
  long residual;
  long chargedUntil;

  /** The remaining run time within the domain's cap, while it runs. */
  long budget;

  boolean parked;

  /** The pCPU that was poked for it. */
  Pcpu poked;

  /** Decayed average of being runnable or running, 0..1. */
  double load;

  long loadUpdated;

  Credit2Vcpu next;
  Credit2Vcpu previous;

  Credit2Vcpu(Vcpu vcpu, Credit2Domain domain) {
    this.vcpu = vcpu;
    this.domain = domain;
  }

  /** Charges run time up to now; the heaviest vCPU of the queue pays 1 for 1, lighter ones more. */
  void burn(long now) {
    long ran = now - chargedUntil;
    if (ran > 0) {
      long owed = ran * queue.maxWeight + residual;
      credit = Math.max(credit - owed / domain.weight, CREDIT_LEAST);
      residual = owed % domain.weight;
      if (domain.capped()) {
        budget -= ran;
      }
    }
    chargedUntil = now;
  }

  /** The time to burn an amount of credit. */
  long nanosFor(long credits) {
    return credits * domain.weight / queue.maxWeight;
  }
}
