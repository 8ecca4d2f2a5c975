package io.slicewise.profile;

import io.slicewise.profile.ParameterKind.Flag;
import io.slicewise.profile.ParameterKind.TimeSpan;
import io.slicewise.profile.ParameterKind.WholeNumber;
import java.time.Duration;
import java.util.Optional;

/**
 * Xen's sEDF scheduler (up to 4.5). Ranges are those of {@code sched_sedf.c}: PERIOD_MIN 10 µs,
 * PERIOD_MAX 10 s, SLICE_MIN 5 µs. By default a guest gets only extra time.
 */
public final class Sedf {
  private static final Duration SHORTEST_PERIOD = Duration.ofNanos(10_000);
  private static final Duration SHORTEST_SLICE = Duration.ofNanos(5_000);

  /** xl sets whole milliseconds, xm microseconds. */
  private static final TimeSpan TIME =
      new TimeSpan(Duration.ZERO, Duration.ofSeconds(10), "Xen's tools", 1);

  public static final Parameter<Duration> PERIOD =
      Parameter.absolute(
              "period",
              new TimeSpan(SHORTEST_PERIOD, TIME.most(), TIME.tools(), TIME.step()),
              Duration.ofMillis(100),
              "10us to 10s.")
          .logarithmic();

  public static final Parameter<Duration> SLICE =
      Parameter.absolute(
          "slice",
          TIME,
          Duration.ZERO,
          "CPU time of a vCPU in each period: 5us to the period, or 0s for best effort on extra"
              + " time.");

  public static final Parameter<Duration> LATENCY =
      Parameter.absolute("latency", TIME, Duration.ZERO, "Stored by Xen, but without effect.")
          .withoutEffect();

  public static final Parameter<Boolean> EXTRATIME =
      Parameter.absolute("extratime", new Flag(), true, "Whether spare time may be used.");

  public static final Parameter<Integer> WEIGHT =
      Parameter.ratio(
          "weight",
          WholeNumber.between(0, 65535),
          0,
          "Above 0: time by weight instead of period and slice.");

  private Sedf() {}

  static Scheduler description() {
    return Scheduler.named("sedf", "Xen")
        .with(PERIOD, SLICE, LATENCY, EXTRATIME, WEIGHT)
        .sharing(new TimeShare(SLICE, PERIOD, SHORTEST_SLICE, EXTRATIME, Optional.of(WEIGHT)));
  }

  /**
   * Settings under sEDF: each vCPU gets {@code slice} in each {@code period}.
   *
   * @param weight 0 for period and slice; above 0, time is shared by weight and both are ignored
   */
  public static SchedulerParameters of(
      Duration period, Duration slice, Duration latency, boolean extratime, int weight) {
    return SchedulerParameters.defaults(Scheduler.SEDF)
        .with(PERIOD, period)
        .with(SLICE, slice)
        .with(LATENCY, latency)
        .with(EXTRATIME, extratime)
        .with(WEIGHT, weight);
  }
}
