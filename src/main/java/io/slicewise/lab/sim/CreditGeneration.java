package io.slicewise.lab.sim;

/** Generations of the credit scheduler, by changes that affect the distribution of CPU time. */
public enum CreditGeneration {
  /** Xen 3.0.3 to 3.4: the vCPU that runs at the tick pays for the whole tick. */
  XEN_3_3(true, false, false, true, false),
  /** Xen 4.0: run time is measured. */
  XEN_4_0(false, false, false, true, false),
  /** Xen 4.1 to 4.6: weights count per vCPU, and surplus credit is halved instead of lost. */
  XEN_4_1(false, true, true, true, false),
  /** Xen 4.7 and later: no boost after a migration; an idle pCPU is preferred to preemption. */
  XEN_4_17(false, true, true, false, true);

  private final boolean sampledDebit;
  private final boolean weightPerVcpu;
  private final boolean halvesSurplus;
  private final boolean boostsMigrated;
  private final boolean prefersIdlers;

  CreditGeneration(
      boolean sampledDebit,
      boolean weightPerVcpu,
      boolean halvesSurplus,
      boolean boostsMigrated,
      boolean prefersIdlers) {
    this.sampledDebit = sampledDebit;
    this.weightPerVcpu = weightPerVcpu;
    this.halvesSurplus = halvesSurplus;
    this.boostsMigrated = boostsMigrated;
    this.prefersIdlers = prefersIdlers;
  }

  boolean sampledDebit() {
    return sampledDebit;
  }

  boolean weightPerVcpu() {
    return weightPerVcpu;
  }

  boolean halvesSurplus() {
    return halvesSurplus;
  }

  boolean boostsMigrated() {
    return boostsMigrated;
  }

  boolean wakesOneIdler() {
    return weightPerVcpu; // both came with 4.1
  }

  boolean prefersIdlers() {
    return prefersIdlers;
  }
}
