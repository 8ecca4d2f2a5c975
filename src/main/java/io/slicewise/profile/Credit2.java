package io.slicewise.profile;

/** Xen's credit2 scheduler, with the parameters of credit. */
public final class Credit2 {
  private Credit2() {}

  static Scheduler description() {
    Parameter<Integer> cap =
        Parameter.absolute(
            Credit.CAP.key(),
            Credit.CAP.kind(),
            Credit.CAP.defaultValue(),
            Credit.CAP.description() + " Xen 4.10 on.");
    return Scheduler.named("credit2", "Xen").with(Credit.WEIGHT, cap).cappedBy(cap);
  }

  /** Settings under credit2; weight and cap as for {@link Credit#of}. */
  public static SchedulerParameters of(int weight, int cap) {
    return SchedulerParameters.defaults(Scheduler.CREDIT2)
        .with(Credit.WEIGHT, weight)
        .with(Credit.CAP, cap);
  }
}
