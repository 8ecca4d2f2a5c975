package io.slicewise.profile;

import io.slicewise.profile.ParameterKind.WholeNumber;

/** Xen's credit scheduler. */
public final class Credit {
  /** 100 % of each of 4096 vCPUs, the most that any Xen release allows a domain. */
  private static final int MOST_CAP = 409_600;

  public static final Parameter<Integer> WEIGHT =
      Parameter.ratio(
          "weight", WholeNumber.between(1, 65535), 256, "Share relative to other domains.");

  public static final Parameter<Integer> CAP =
      Parameter.absolute(
          "cap",
          new WholeNumber(0, MOST_CAP, 100, "%"),
          0,
          "Ceiling in percent of one pCPU, at most 100 x vCPUs; 0 = none.");

  private Credit() {}

  static Scheduler description() {
    return Scheduler.named("credit", "Xen").with(WEIGHT, CAP).cappedBy(CAP);
  }

  /**
   * Settings under credit.
   *
   * @param weight share relative to other domains, 1..65535, default 256
   * @param cap ceiling in percent of one pCPU, 0..100 × vCPUs; 0 = no cap
   */
  public static SchedulerParameters of(int weight, int cap) {
    return SchedulerParameters.defaults(Scheduler.CREDIT).with(WEIGHT, weight).with(CAP, cap);
  }
}
