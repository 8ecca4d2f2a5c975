package io.slicewise.host.xen;

import io.slicewise.base.units.DurationText;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.Placement;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.profile.TimeShare;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/** Compares readings with the toolstack's presentation of settings. */
final class Readings {
  /** xm converts milliseconds to nanoseconds in floating point and truncates. */
  private static final long CUT_NANOS = 1;

  /** The period that Xen shows for a domain with extra time only. */
  private static final Duration IDLE_PERIOD = Duration.ofMillis(100);

  private final Dialect dialect;
  private final Supplier<Integer> pcpus;
  private int knownPcpus;

  /**
   * @param pcpus reads how many bits the host's pCPUs need, once and only if it matters
   */
  Readings(Dialect dialect, Supplier<Integer> pcpus) {
    this.dialect = dialect;
    this.pcpus = pcpus;
  }

  boolean show(SchedulerParameters set, SchedulerParameters read) {
    if (set.scheduler() != read.scheduler()) {
      return false;
    }
    List<SchedulerParameters> asked = set.each();
    List<SchedulerParameters> shown = read.each();
    if (shown.size() == 1) {
      return asked.stream().allMatch(one -> showOne(one, read));
    }
    boolean all = asked.size() == shown.size();
    for (int vcpu = 0; all && vcpu < asked.size(); vcpu++) {
      all = showOne(asked.get(vcpu), shown.get(vcpu));
    }
    return all;
  }

  private boolean showOne(SchedulerParameters asked, SchedulerParameters shown) {
    return asked.scheduler().parameters().stream()
        .allMatch(parameter -> isIdle(asked, parameter) || showValue(asked, shown, parameter));
  }

  /**
   * Returns whether a value is meaningless: Xen computes period and slice from weights, and shows a
   * period of 100 ms for a domain without a slice.
   */
  private static boolean isIdle(SchedulerParameters asked, Parameter<?> parameter) {
    TimeShare time = asked.scheduler().share().orElse(null);
    boolean whole = time != null && parameter.equals(time.whole());
    boolean part = time != null && parameter.equals(time.part());
    return (whole && !asked.uses(parameter)) || (part && time.isReplaced(asked));
  }

  private <T> boolean showValue(
      SchedulerParameters asked, SchedulerParameters shown, Parameter<T> parameter) {
    T wanted = asked.get(parameter);
    T read = shown.get(parameter);
    Duration step = dialect.timeStep(asked.scheduler());
    if (parameter.kind().isAsFound(wanted)) {
      return true;
    }
    if (wanted instanceof String place && asked.scheduler().scope() == Scope.PLACE) {
      return printed(place).equals(printed((String) read));
    }
    return wanted.equals(read)
        || (wanted instanceof Duration time
            && read instanceof Duration other
            && isNear(step, time, other));
  }

  /** Returns a placement without what is not changed: the affinities, or the number of vCPUs. */
  SchedulerParameters changed(SchedulerParameters current, SchedulerParameters wanted) {
    SchedulerParameters none = SchedulerParameters.defaults(wanted.scheduler());
    Set<String> same = new TreeSet<>();
    for (Set<String> group :
        List.of(
            Set.of(Placement.AFFINITY.key(), Placement.SOFT_AFFINITY.key()),
            Set.of(Placement.VCPUS.key()))) {
      if (show(none.with(group, wanted), current)) {
        same.addAll(group);
      }
    }
    return wanted.with(same, none);
  }

  /** Returns a placement as xl prints it: a list of every pCPU is {@code all}. */
  String printed(String placement) {
    List<String> each = new ArrayList<>();
    for (String cpus : Pinning.each(placement, 1)) {
      boolean whole =
          !cpus.isEmpty()
              && !cpus.equals(Pinning.ALL)
              && Pinning.cpus(cpus).nextClearBit(0) >= pcpus();
      each.add(whole ? Pinning.ALL : cpus);
    }
    return placement.isEmpty() ? placement : Pinning.of(each);
  }

  private int pcpus() {
    if (knownPcpus == 0) {
      knownPcpus = pcpus.get();
    }
    return knownPcpus;
  }

  /**
   * Returns why the settings in a listing cannot be set again. Xen accepts no slice of 0, except
   * for domains with extra time only; those show a period of 100 ms.
   */
  Optional<String> hidden(SchedulerParameters shown) {
    return shown.each().stream().flatMap(one -> hiddenIn(one).stream()).findFirst();
  }

  private Optional<String> hiddenIn(SchedulerParameters shown) {
    TimeShare time = shown.scheduler().share().orElse(null);
    if (time == null || time.isReplaced(shown)) {
      return Optional.empty();
    }
    Duration period = shown.get(time.whole());
    boolean idle = time.isBestEffort(shown) && period.equals(IDLE_PERIOD);
    return idle || !(shown.get(time.part()).isZero() || period.isZero())
        ? Optional.empty()
        : Optional.of(
            "%s shows times in steps of %s and prints its %s as 0, so the actual setting cannot be read"
                .formatted(
                    dialect.name(),
                    DurationText.of(dialect.timeStep(shown.scheduler())),
                    (period.isZero() ? time.whole() : time.part()).key()));
  }

  private static boolean isNear(Duration step, Duration asked, Duration shown) {
    long off = asked.minus(shown).abs().toNanos();
    return !step.isZero() && off <= step.toNanos() / 2 + CUT_NANOS;
  }
}
