package io.slicewise.profile;

import java.util.BitSet;
import java.util.List;
import java.util.Optional;

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
    return Scheduler.named("placement", "Xen").with(AFFINITY, SOFT_AFFINITY).of(Scope.PLACE);
  }

  /** Returns which affinity names pCPUs beyond those of a split; empty if none does. */
  static Optional<String> outside(SchedulerParameters place, SchedulerParameters split) {
    for (String each : Pinning.each(place.get(AFFINITY), 1)) {
      if (!each.isEmpty() && !each.equals(Pinning.ALL)) {
        BitSet beyond = Pinning.cpus(each);
        beyond.andNot(Split.cpus(split, Split.CPUS));
        if (!beyond.isEmpty()) {
          return Optional.of(
              "affinity %s contradicts the split, which has pCPUs %s: correct the affinity"
                  .formatted(each, split.get(Split.CPUS)));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns a placement by the pCPUs of each vCPU, as a tool prints them. */
  public static SchedulerParameters of(List<String> hard, List<String> soft) {
    return SchedulerParameters.defaults(Scheduler.PLACEMENT)
        .with(AFFINITY, Pinning.of(hard))
        .with(SOFT_AFFINITY, Pinning.of(soft));
  }
}
