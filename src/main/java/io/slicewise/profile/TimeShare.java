package io.slicewise.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * CPU time that each vCPU of a domain gets in each period.
 *
 * @param part the time
 * @param whole the period
 * @param shortest the shortest time except 0, which means no time of its own
 * @param extra whether idle time may be used too; otherwise the time is a ceiling
 * @param instead a weight that, if above 0, replaces time and period
 */
public record TimeShare(
    Parameter<Duration> part,
    Parameter<Duration> whole,
    Duration shortest,
    Parameter<Boolean> extra,
    Optional<Parameter<Integer>> instead) {

  /** Returns whether a weight replaces time and period. */
  public boolean isReplaced(SchedulerParameters parameters) {
    return instead.filter(weight -> parameters.get(weight) > 0).isPresent();
  }

  /** Returns whether the domain has no time of its own and gets only what others do not use. */
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

  /** Returns the share of one pCPU that a vCPU cannot exceed; empty if there is no such limit. */
  OptionalDouble ceiling(SchedulerParameters parameters, int vcpus) {
    Duration period = parameters.get(whole);
    return parameters.get(extra) || isReplaced(parameters) || period.isZero()
        ? OptionalDouble.empty()
        : OptionalDouble.of(vcpus * (double) parameters.get(part).toNanos() / period.toNanos());
  }

  /** Returns the share as text: {@code slice 20 ms of 100 ms}. */
  String text(SchedulerParameters parameters) {
    return "%s %s of %s"
        .formatted(
            part.key(),
            part.kind().text(parameters.get(part)),
            whole.kind().text(parameters.get(whole)));
  }
}
