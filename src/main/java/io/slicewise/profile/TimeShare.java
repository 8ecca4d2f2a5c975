package io.slicewise.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * CPU time that each vCPU of a domain gets in each period.
 *
 * @param part the time
 * @param whole the period
 * @param shortest the shortest time except 0, which means none of the domain's own
 * @param extra whether time that is left over may be used too; without it the time is a ceiling
 * @param instead a weight that, above 0, takes the place of time and period
 */
public record TimeShare(
    Parameter<Duration> part,
    Parameter<Duration> whole,
    Duration shortest,
    Parameter<Boolean> extra,
    Optional<Parameter<Integer>> instead) {

  /** Whether a weight takes the place of time and period. */
  public boolean isReplaced(SchedulerParameters parameters) {
    return instead.filter(weight -> parameters.get(weight) > 0).isPresent();
  }

  /** Whether the domain has no time of its own and lives on what the others leave. */
  public boolean isBestEffort(SchedulerParameters parameters) {
    return !isReplaced(parameters)
        && parameters.get(part).isZero()
        && parameters.get(extra).booleanValue();
  }

  boolean concerns(Parameter<?> parameter) {
    return parameter.key().equals(part.key()) || parameter.key().equals(whole.key());
  }

  boolean isInstead(Parameter<?> parameter) {
    return instead.filter(weight -> weight.key().equals(parameter.key())).isPresent();
  }

  /** The share of one pCPU that a vCPU cannot exceed; empty if there is no such limit. */
  OptionalDouble ceiling(SchedulerParameters parameters, int vcpus) {
    Duration period = parameters.get(whole);
    return parameters.get(extra) || isReplaced(parameters) || period.isZero()
        ? OptionalDouble.empty()
        : OptionalDouble.of(vcpus * (double) parameters.get(part).toNanos() / period.toNanos());
  }

  /** {@code slice 20 ms of 100 ms}. */
  String text(SchedulerParameters parameters) {
    return "%s %s of %s"
        .formatted(
            part.key(),
            part.kind().text(parameters.get(part)),
            whole.kind().text(parameters.get(whole)));
  }
}
