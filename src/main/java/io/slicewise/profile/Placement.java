package io.slicewise.profile;

import java.util.List;

/** Where Xen's vCPUs may run, whatever the scheduler of their cpupool. */
public final class Placement {
  public static final Parameter<String> AFFINITY =
      Parameter.absolute(
          "affinity",
          new Pinning(true),
          Pinning.AS_FOUND,
          "The pCPUs that vCPUs may use (hard affinity), as in \"0-3,^2\", or all: one text for all"
              + " vCPUs or a list with one for each; as-found does not change them.");

  public static final Parameter<String> SOFT_AFFINITY =
      Parameter.absolute(
          "soft-affinity",
          new Pinning(true),
          Pinning.AS_FOUND,
          "The pCPUs that vCPUs prefer (soft affinity), written like affinity.");

  private Placement() {}

  static Scheduler description() {
    return Scheduler.named("placement", "Xen").with(AFFINITY, SOFT_AFFINITY).ofPlaces();
  }

  /** Returns a placement by the pCPUs of each vCPU, as a tool prints them. */
  public static SchedulerParameters of(List<String> hard, List<String> soft) {
    return SchedulerParameters.defaults(Scheduler.PLACEMENT)
        .with(AFFINITY, Pinning.of(hard))
        .with(SOFT_AFFINITY, Pinning.of(soft));
  }
}
