package io.slicewise.profile;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A quota of CPU time in each period; zero is none. Unlike a {@link TimeShare}, it guarantees no
 * time.
 *
 * @param percent the key under which a file may write the quota in percent of its period
 */
public record TimeLimit(
    Parameter<Duration> quota, Parameter<Duration> period, Of of, Optional<String> percent) {
  /** The threads whose time is limited. */
  enum Of {
    EACH_VCPU,
    OTHERS,
    ALL
  }

  static TimeLimit ofEachVcpu(
      Parameter<Duration> quota, Parameter<Duration> period, String percent) {
    return new TimeLimit(quota, period, Of.EACH_VCPU, Optional.of(percent));
  }

  static TimeLimit ofOthers(Parameter<Duration> quota, Parameter<Duration> period) {
    return new TimeLimit(quota, period, Of.OTHERS, Optional.empty());
  }

  static TimeLimit ofAll(Parameter<Duration> quota, Parameter<Duration> period) {
    return new TimeLimit(quota, period, Of.ALL, Optional.empty());
  }

  boolean concerns(Parameter<?> parameter) {
    return parameter.key().equals(quota.key()) || parameter.key().equals(period.key());
  }

  /** Whether there is a limit. */
  public boolean limits(SchedulerParameters parameters) {
    return !parameters.get(quota).isZero();
  }

  /** Returns the pCPUs that the limited threads can use; empty if there is no limit. */
  public OptionalDouble share(SchedulerParameters parameters) {
    return limits(parameters)
        ? OptionalDouble.of(
            (double) parameters.get(quota).toNanos() / parameters.get(period).toNanos())
        : OptionalDouble.empty();
  }

  /** Returns the pCPUs that the vCPUs can use together; empty if they are not limited. */
  OptionalDouble ceiling(SchedulerParameters parameters, int vcpus) {
    OptionalDouble share = share(parameters);
    if (share.isEmpty() || of == Of.OTHERS) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(of == Of.ALL ? share.getAsDouble() : vcpus * share.getAsDouble());
  }

  /** Returns the most pCPUs that the limited threads can use without a limit. */
  public int most(int pcpus) {
    return of == Of.EACH_VCPU ? 1 : pcpus;
  }

  /** Returns the limit as text: {@code vcpu-quota 25 ms of 100 ms}. */
  public String text(SchedulerParameters parameters) {
    return "%s %s of %s"
        .formatted(
            quota.key(),
            quota.kind().text(parameters.get(quota)),
            period.kind().text(parameters.get(period)));
  }
}
