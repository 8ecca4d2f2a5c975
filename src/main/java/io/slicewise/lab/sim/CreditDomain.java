package io.slicewise.lab.sim;

/** The credit scheduler's data of a domain. */
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

  /** Sets weight and cap; 0 and 0xFFFF mean unchanged. */
  void adjust(int newWeight, int newCap) {
    if (newWeight < 0 || newWeight > 0xFFFF) {
      throw HypervisorRefusal.invalid("weight " + newWeight + " does not fit 16 bits");
    }
    if (newCap < 0 || newCap > UNCHANGED_CAP) {
      throw HypervisorRefusal.invalid("cap " + newCap + " does not fit 16 bits");
    }
    if (newWeight != 0) {
      weight = newWeight;
    }
    if (newCap != UNCHANGED_CAP) {
      cap = newCap;
    }
  }
}
