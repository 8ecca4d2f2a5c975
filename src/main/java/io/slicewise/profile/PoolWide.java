package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.profile.ParameterKind.TimeOrNone;
import io.slicewise.profile.ParameterKind.TimeSpan;
import java.time.Duration;
import java.util.Optional;

/** What Xen's credit schedulers set for a whole cpupool. */
public final class PoolWide {
  private static final TimeSpan LIMITS =
      new TimeSpan(Duration.ofNanos(100_000), Duration.ofMillis(500), "Xen's tools");

  /** Credit only; Xen 4.2 and later. */
  public static final Parameter<Duration> TIMESLICE =
      Parameter.absolute(
              "timeslice",
              new TimeSpan(Duration.ofMillis(1), Duration.ofSeconds(1), "Xen's tools", 1),
              Duration.ofMillis(30),
              "Longest time that a vCPU runs before another one may, in whole milliseconds.")
          .logarithmic();

  /** Credit from Xen 4.2 on, credit2 from 4.8 on. */
  public static final Parameter<Duration> RATELIMIT =
      Parameter.absolute(
          "ratelimit",
          new TimeOrNone(LIMITS, true),
          Duration.ofMillis(1),
          "Shortest time that a vCPU runs before another one may; none = no limit, Xen 4.8 on.");

  /** Credit only; Xen 4.11 and later. */
  public static final Parameter<Duration> MIGRATION_DELAY =
      Parameter.absolute(
          "migration-delay",
          new TimeOrNone(
              new TimeSpan(Duration.ofNanos(1_000), Duration.ofMillis(100), "Xen's tools"), false),
          Duration.ZERO,
          "Time after it ran for which a vCPU is not moved to another pCPU, or none; Xen 4.11 on.");

  private PoolWide() {}

  static Scheduler ofCredit() {
    return Scheduler.named("credit-pool", "Xen")
        .with(TIMESLICE, RATELIMIT, MIGRATION_DELAY)
        .of(Scope.POOL);
  }

  static Scheduler ofCredit2() {
    return Scheduler.named("credit2-pool", "Xen").with(RATELIMIT).of(Scope.POOL);
  }

  /** Returns the rule that values break together, as a sentence; empty if none. */
  public static Optional<String> fault(SchedulerParameters parameters) {
    return parameters.scheduler() == Scheduler.CREDIT_POOL
            && parameters.get(RATELIMIT).compareTo(parameters.get(TIMESLICE)) > 0
        ? Optional.of(
            "ratelimit %s is longer than the timeslice %s"
                .formatted(
                    DurationText.of(parameters.get(RATELIMIT)),
                    DurationText.of(parameters.get(TIMESLICE))))
        : Optional.empty();
  }

  /** Settings of a pool under credit, without a migration delay. */
  public static SchedulerParameters credit(Duration timeslice, Duration ratelimit) {
    return SchedulerParameters.defaults(Scheduler.CREDIT_POOL)
        .with(TIMESLICE, timeslice)
        .with(RATELIMIT, ratelimit);
  }

  /** Settings of a pool under credit2. */
  public static SchedulerParameters credit2(Duration ratelimit) {
    return SchedulerParameters.defaults(Scheduler.CREDIT2_POOL).with(RATELIMIT, ratelimit);
  }
}
