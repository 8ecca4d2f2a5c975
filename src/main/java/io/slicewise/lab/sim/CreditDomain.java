package io.slicewise.lab.sim;

import io.slicewise.profile.SchedulerParameters;

/** What the credit scheduler keeps for a domain. */
final class CreditDomain {
  private static final int UNCHANGED_CAP = 0xFFFF;

  final SimDomain domain;
  int weight = 256;

  /** Percent of one pCPU; 0 = none. */
  int cap;

  int activeVcpus;

  CreditDomain(SimDomain domain) {
    this.domain = domain;
  }

  /** A weight of 0 and a cap of 0xFFFF mean: leave it. */
  void adjust(SchedulerParameters.Credit wanted) {
    if (wanted.weight() < 0 || wanted.weight() > 0xFFFF) {
      throw HypervisorRefusal.invalid("weight " + wanted.weight() + " does not fit 16 bits");
    }
    if (wanted.cap() < 0 || wanted.cap() > UNCHANGED_CAP) {
      throw HypervisorRefusal.invalid("cap " + wanted.cap() + " does not fit 16 bits");
    }
    if (wanted.weight() != 0) {
      weight = wanted.weight();
    }
    if (wanted.cap() != UNCHANGED_CAP) {
      cap = wanted.cap();
    }
  }
}
