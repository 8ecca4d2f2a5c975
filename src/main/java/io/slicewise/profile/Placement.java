package io.slicewise.profile;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.util.BitSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** Where Xen's vCPUs may run, whatever the scheduler of their cpupool. */
public final class Placement {
  public static final Parameter<String> AFFINITY =
      Parameter.absolute(
          "affinity",
          new Pinning(true, true),
          Pinning.AS_FOUND,
          "The pCPUs that vCPUs may use (hard affinity), as in \"0-3,^2\", or all: one text for all"
              + " vCPUs or a list with one for each; as-found does not change them.");

  public static final Parameter<String> SOFT_AFFINITY =
      Parameter.absolute(
          "soft-affinity",
          new Pinning(true, true),
          Pinning.AS_FOUND,
          "The pCPUs that vCPUs prefer (soft affinity), written like affinity.");

  /** How many vCPUs a domain uses; the others are offline. */
  public static final Parameter<Integer> VCPUS =
      Parameter.absolute(
          "vcpus",
          new Online(),
          Online.AS_FOUND,
          "The number of vCPUs that the domain uses, of those with which it was started; as-found"
              + " does not change it.");

  private Placement() {}

  static Scheduler description() {
    return Scheduler.named("placement", "Xen").with(AFFINITY, SOFT_AFFINITY, VCPUS).of(Scope.PLACE);
  }

  /**
   * Returns which affinity contradicts a split: one of a guest in it names pCPUs beyond those of
   * the split, one of a guest outside only pCPUs that the split takes. Empty if none does.
   */
  static Optional<String> contradicts(
      String domain, SchedulerParameters place, SchedulerParameters split) {
    boolean inside = Split.domains(split).contains(domain);
    for (String each : Pinning.each(place.get(AFFINITY), 1)) {
      if (!each.isEmpty() && !each.equals(Pinning.ALL)) {
        BitSet beyond = Pinning.cpus(each);
        beyond.andNot(Split.cpus(split, Split.CPUS));
        if (inside != beyond.isEmpty()) {
          return Optional.of(
              "affinity %s contradicts the split, which %s pCPUs %s: correct the affinity"
                  .formatted(each, inside ? "has" : "takes", split.get(Split.CPUS)));
        }
      }
    }
    return Optional.empty();
  }

  /** Returns a placement by the pCPUs of each vCPU, as a tool prints them, and those online. */
  public static SchedulerParameters of(List<String> hard, List<String> soft, int online) {
    return of(hard, soft).with(VCPUS, online);
  }

  /** Returns a placement by the pCPUs of each vCPU; the number online is as found. */
  public static SchedulerParameters of(List<String> hard, List<String> soft) {
    return SchedulerParameters.defaults(Scheduler.PLACEMENT)
        .with(AFFINITY, Pinning.of(hard))
        .with(SOFT_AFFINITY, Pinning.of(soft));
  }

  /** Returns the number of vCPUs whose affinities a placement lists one by one; 1 if none. */
  public static int listed(SchedulerParameters placement) {
    return Math.max(
        AFFINITY.kind().leastVcpus(placement.get(AFFINITY)),
        SOFT_AFFINITY.kind().leastVcpus(placement.get(SOFT_AFFINITY)));
  }

  /** A number of vCPUs; 0, written {@code as-found}, does not change it. */
  private record Online() implements ParameterKind<Integer> {
    static final int AS_FOUND = 0;
    private static final String WORD = "as-found";
    private static final int MOST = 4096;

    @Override
    public Class<Integer> type() {
      return Integer.class;
    }

    @Override
    public Optional<Integer> read(YamlValue value) {
      return WORD.equals(value.plain()) ? Optional.of(AS_FOUND) : value.integer(1, MOST);
    }

    @Override
    public Object toYaml(Integer value) {
      return isAsFound(value) ? WORD : value;
    }

    @Override
    public boolean isIdle(Integer value) {
      return isAsFound(value);
    }

    @Override
    public boolean isAsFound(Integer value) {
      return value == AS_FOUND;
    }

    /** A guest takes its vCPUs offline one after the other. */
    @Override
    public boolean isOnTheWay(Integer value, List<Integer> known) {
      IntSummaryStatistics all =
          known.stream()
              .filter(one -> !isAsFound(one))
              .mapToInt(Integer::intValue)
              .summaryStatistics();
      return value >= all.getMin() && value <= all.getMax();
    }

    @Override
    public OptionalDouble number(Integer value) {
      return isAsFound(value) ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    @Override
    public Optional<String> fault(Integer value, int vcpus) {
      return value <= vcpus
          ? Optional.empty()
          : Optional.of("is more than the %d with which it was started".formatted(vcpus));
    }

    @Override
    public int leastVcpus(Integer value) {
      return Math.max(1, value);
    }

    @Override
    public String range(String pcpus, int vcpus) {
      return "1..%d".formatted(vcpus);
    }

    @Override
    public Map<String, Object> schema() {
      return Map.of(
          "oneOf",
          List.of(
              OptionKind.ordered("type", "integer", "minimum", 1, "maximum", MOST),
              Map.of("const", WORD)));
    }
  }
}
