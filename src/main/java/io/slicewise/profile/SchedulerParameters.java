package io.slicewise.profile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The values of all parameters of a scheduler for one domain. A parameter that a profile omits has
 * its default, so that two profiles never differ because of earlier settings.
 */
public final class SchedulerParameters {
  private final Scheduler scheduler;
  private final Map<String, Object> values;
  private final List<SchedulerParameters> vcpus;

  private SchedulerParameters(
      Scheduler scheduler, Map<String, Object> values, List<SchedulerParameters> vcpus) {
    this.scheduler = scheduler;
    this.values = values;
    this.vcpus = vcpus;
  }

  /** Returns the default of every parameter. */
  public static SchedulerParameters defaults(Scheduler scheduler) {
    Map<String, Object> values = new LinkedHashMap<>();
    scheduler.parameters().forEach(one -> values.put(one.key(), one.defaultValue()));
    return new SchedulerParameters(scheduler, Collections.unmodifiableMap(values), List.of());
  }

  /**
   * Returns settings that differ between a domain's vCPUs. No profile requests this, but hosts can
   * have it, and it must be restored.
   *
   * @param vcpus by vCPU number, all under one scheduler
   */
  public static SchedulerParameters byVcpu(List<SchedulerParameters> vcpus) {
    return new SchedulerParameters(vcpus.get(0).scheduler, Map.of(), List.copyOf(vcpus));
  }

  /** Returns a copy with another value of one parameter. */
  public <T> SchedulerParameters with(Parameter<T> parameter, T value) {
    if (!values.containsKey(parameter.key())) {
      throw new IllegalArgumentException(scheduler + " has no " + parameter.key());
    }
    Map<String, Object> changed = new LinkedHashMap<>(values);
    changed.put(parameter.key(), Objects.requireNonNull(value));
    return new SchedulerParameters(scheduler, Collections.unmodifiableMap(changed), List.of());
  }

  /**
   * Returns the keys of the parameters that change when these values replace others. All change
   * together if hypervisors compute some from others, or if vCPUs have different values.
   */
  public Set<String> changedFrom(SchedulerParameters before) {
    return scheduler.parameters().stream()
        .filter(one -> isWhole(before) || scheduler.changesTogether() || changes(one, before))
        .map(Parameter::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  private boolean isWhole(SchedulerParameters other) {
    return isByVcpu()
        || other.isByVcpu()
        || scheduler != other.scheduler
        || scheduler.share().isPresent();
  }

  /** Returns the keys of the parameters whose value means that the current one is not changed. */
  public Set<String> leftAsFound() {
    return isByVcpu()
        ? Set.of()
        : scheduler.parameters().stream()
            .filter(this::isAsFound)
            .map(Parameter::key)
            .collect(Collectors.toUnmodifiableSet());
  }

  private <T> boolean isAsFound(Parameter<T> parameter) {
    return parameter.kind().isAsFound(get(parameter));
  }

  private <T> boolean changes(Parameter<T> parameter, SchedulerParameters before) {
    return !isAsFound(parameter) && !get(parameter).equals(before.get(parameter));
  }

  /** Returns these values, except for some parameters, by key, that get the other's values. */
  public SchedulerParameters with(Set<String> keys, SchedulerParameters other) {
    if (isWhole(other)) {
      return keys.isEmpty() ? this : other;
    }
    Map<String, Object> mixed = new LinkedHashMap<>(values);
    mixed.replaceAll((key, value) -> keys.contains(key) ? other.values.get(key) : value);
    return new SchedulerParameters(scheduler, Collections.unmodifiableMap(mixed), List.of());
  }

  public Scheduler scheduler() {
    return scheduler;
  }

  /**
   * The value of a parameter.
   *
   * @throws IllegalArgumentException if the scheduler has no such parameter, or its value differs
   *     between vCPUs
   */
  public <T> T get(Parameter<T> parameter) {
    Object value = values.get(parameter.key());
    if (value == null) {
      throw new IllegalArgumentException(scheduler + " has no one " + parameter.key());
    }
    return parameter.kind().type().cast(value);
  }

  /** Returns whether vCPUs have different values; then there is no value for the whole domain. */
  public boolean isByVcpu() {
    return !vcpus.isEmpty();
  }

  /** Returns the values of each vCPU if they differ, otherwise these values once. */
  public List<SchedulerParameters> each() {
    return isByVcpu() ? vcpus : List.of(this);
  }

  /** Returns whether the value of a parameter has any effect, given the other values. */
  public boolean uses(Parameter<?> parameter) {
    TimeShare share = scheduler.share().orElse(null);
    if (parameter.inert() || isIdle(parameter)) {
      return false;
    }
    if (share == null) {
      return scheduler.limits().stream()
          .allMatch(limit -> limit.limits(this) || !limit.concerns(parameter));
    }
    if (share.isInstead(parameter)) {
      return share.isReplaced(this);
    }
    return !share.concerns(parameter) || !(share.isReplaced(this) || share.isBestEffort(this));
  }

  /** Returns the number of vCPUs that a domain needs for these values. */
  public int leastVcpus() {
    return each().stream()
        .flatMapToInt(one -> scheduler.parameters().stream().mapToInt(one::leastVcpus))
        .max()
        .orElse(1);
  }

  /**
   * Returns the value of a parameter on an axis.
   *
   * @throws java.util.NoSuchElementException if it has no position there
   */
  public <T> double number(Parameter<T> parameter) {
    return optionalNumber(parameter).orElseThrow();
  }

  /** Returns the value of a parameter on an axis; empty if it has no position there. */
  public <T> OptionalDouble optionalNumber(Parameter<T> parameter) {
    return parameter.kind().number(get(parameter));
  }

  private <T> boolean isIdle(Parameter<T> parameter) {
    return parameter.kind().isIdle(get(parameter));
  }

  private <T> int leastVcpus(Parameter<T> parameter) {
    return parameter.kind().leastVcpus(get(parameter));
  }

  /** Returns the most pCPUs that a domain can use with these values; empty if they set no limit. */
  public OptionalDouble ceiling(int vcpus) {
    if (!isByVcpu()) {
      if (scheduler.cap().isPresent()) {
        return capped(get(scheduler.cap().get()));
      }
      return scheduler
          .share()
          .map(time -> time.ceiling(this, vcpus))
          .orElseGet(() -> limited(vcpus));
    }
    double sum = 0;
    for (SchedulerParameters one : this.vcpus) {
      OptionalDouble ceiling = one.ceiling(1);
      if (ceiling.isEmpty()) {
        return ceiling;
      }
      sum += ceiling.getAsDouble();
    }
    return OptionalDouble.of(sum);
  }

  private OptionalDouble limited(int vcpus) {
    return scheduler.limits().stream()
        .flatMapToDouble(limit -> limit.ceiling(this, vcpus).stream())
        .min();
  }

  private static OptionalDouble capped(int percent) {
    return percent == 0 ? OptionalDouble.empty() : OptionalDouble.of(percent / 100.0);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SchedulerParameters that
        && scheduler == that.scheduler
        && values.equals(that.values)
        && vcpus.equals(that.vcpus);
  }

  @Override
  public int hashCode() {
    return Objects.hash(scheduler.xenName(), values, vcpus);
  }

  @Override
  public String toString() {
    return scheduler + " " + ParametersText.of(this);
  }
}
