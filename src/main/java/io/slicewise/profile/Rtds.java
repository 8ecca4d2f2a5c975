package io.slicewise.profile;

import io.slicewise.profile.ParameterKind.Flag;
import io.slicewise.profile.ParameterKind.TimeSpan;
import java.time.Duration;
import java.util.Optional;

/**
 * Xen's RTDS scheduler. {@code sched_rt.c} rejects times below 10 µs; extra time exists since Xen
 * 4.10.
 */
public final class Rtds {
  private static final Duration SHORTEST = Duration.ofNanos(10_000);

  /** The tools store periods as a C int of microseconds. */
  private static final TimeSpan TIME =
      new TimeSpan(SHORTEST, Duration.ofNanos(Integer.MAX_VALUE * 1_000L), "Xen's tools");

  public static final Parameter<Duration> PERIOD =
      Parameter.absolute("period", TIME, Duration.ofMillis(10), "At least 10us.").logarithmic();

  public static final Parameter<Duration> BUDGET =
      Parameter.absolute(
          "budget",
          TIME,
          Duration.ofMillis(4),
          "CPU time of a vCPU in each period: 10us to the period.");

  public static final Parameter<Boolean> EXTRATIME =
      Parameter.absolute(
          "extratime", new Flag(), true, "Whether spare time may be used. Xen 4.10 on.");

  private Rtds() {}

  static Scheduler description() {
    return Scheduler.named("rtds", "Xen")
        .with(PERIOD, BUDGET, EXTRATIME)
        .sharing(new TimeShare(BUDGET, PERIOD, SHORTEST, EXTRATIME, Optional.empty()));
  }

  /** Settings under RTDS: each vCPU gets {@code budget} in each {@code period}. */
  public static SchedulerParameters of(Duration period, Duration budget, boolean extratime) {
    return SchedulerParameters.defaults(Scheduler.RTDS)
        .with(PERIOD, period)
        .with(BUDGET, budget)
        .with(EXTRATIME, extratime);
  }
}
