package io.slicewise.lab.sim;

/** The credit scheduler's view of a vCPU, and its link in a {@link CreditQueue}. */
final class CreditVcpu {
  static final int BOOST = 0;
  static final int UNDER = -1;
  static final int OVER = -2;
  static final int IDLE = -64;

  final Vcpu vcpu;
  final CreditDomain domain;

  int priority = UNDER;
  int credit;

  /** Run time of less than one credit, in 1/1,000,000 credit. */
  long residual;

  long chargedUntil;
  long lastRan = Long.MIN_VALUE / 2;

  /** Earns credits at accounting. */
  boolean active;

  /** Parked because its domain's cap is spent. */
  boolean parked;

  CreditVcpu next;
  CreditVcpu previous;

  CreditVcpu(Vcpu vcpu, CreditDomain domain) {
    this.vcpu = vcpu;
    this.domain = domain;
  }
}
