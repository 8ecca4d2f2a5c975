package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.profile.SchedulerParameters.Credit2;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;

/**
 * The parameters of one domain or role, checked against what Xen accepts: {@code sysctl.h} and
 * libxl for the credit schedulers, {@code sched_sedf.c} (PERIOD_MIN 10 µs, PERIOD_MAX 10 s,
 * SLICE_MIN 5 µs) and {@code sched_rt.c} (both at least 10 µs) for the others. A cap's upper end is
 * 100 × the domain's vCPUs, which only the host knows.
 */
final class ParameterReader {
  static final int MOST_WEIGHT = 65535;

  /** 100 % of each of the 4096 vCPUs that is the most any Xen release allows a domain. */
  static final int MOST_CAP = 409_600;

  static final Duration SEDF_SHORTEST_PERIOD = Duration.ofNanos(10_000);
  static final Duration SEDF_LONGEST_PERIOD = Duration.ofSeconds(10);
  static final Duration SEDF_SHORTEST_SLICE = Duration.ofNanos(5_000);
  static final Duration RTDS_SHORTEST = Duration.ofNanos(10_000);

  /** The tools keep RTDS periods as a C int of microseconds. */
  static final Duration RTDS_LONGEST = Duration.ofNanos(Integer.MAX_VALUE * 1_000L);

  private final YamlMap map;
  private final String whose;

  private ParameterReader(YamlMap map, String whose) {
    this.map = map;
    this.whose = whose;
  }

  static SchedulerParameters read(Scheduler scheduler, YamlMap map, String whose) {
    ParameterReader reader = new ParameterReader(map, whose);
    return switch (scheduler) {
      case CREDIT ->
          new Credit(
              reader.weight(1, ParameterKeys.CREDIT.weight()),
              reader.cap(ParameterKeys.CREDIT.cap()));
      case CREDIT2 ->
          new Credit2(
              reader.weight(1, ParameterKeys.CREDIT2.weight()),
              reader.cap(ParameterKeys.CREDIT2.cap()));
      case SEDF -> reader.sedf();
      case RTDS -> reader.rtds();
      case ARINC653, NULL -> throw new IllegalArgumentException(scheduler.xenName());
    };
  }

  private int weight(int least, int absent) {
    return map.get("weight").flatMap(value -> value.integer(least, MOST_WEIGHT)).orElse(absent);
  }

  private int cap(int absent) {
    return map.get("cap").flatMap(value -> value.integer(0, MOST_CAP)).orElse(absent);
  }

  private Sedf sedf() {
    Duration period =
        duration("period", SEDF_SHORTEST_PERIOD, SEDF_LONGEST_PERIOD, ParameterKeys.SEDF.period());
    Duration slice =
        duration("slice", Duration.ZERO, SEDF_LONGEST_PERIOD, ParameterKeys.SEDF.slice());
    Duration latency =
        duration("latency", Duration.ZERO, SEDF_LONGEST_PERIOD, ParameterKeys.SEDF.latency());
    boolean extratime = extratime(ParameterKeys.SEDF.extratime());
    int weight = weight(0, ParameterKeys.SEDF.weight());
    Sedf sedf = new Sedf(period, slice, latency, extratime, weight);
    if (weight > 0) {
      refuseTimesBesideWeight();
    } else {
      checkSlice(sedf);
    }
    return sedf;
  }

  private void refuseTimesBesideWeight() {
    for (String key : new String[] {"period", "slice"}) {
      map.get(key)
          .ifPresent(
              value ->
                  value.refuse("stands beside a weight; Xen takes a weight or period and slice"));
    }
  }

  private void checkSlice(Sedf sedf) {
    if (sedf.slice().isZero()) {
      if (!sedf.extratime()) {
        fault("slice", "slice 0 of " + whose + " without extratime would never run the domain");
      }
    } else if (sedf.slice().compareTo(SEDF_SHORTEST_SLICE) < 0) {
      fault("slice", shown("slice", sedf.slice()) + " is below Xen's least slice of 5us");
    } else if (sedf.slice().compareTo(sedf.period()) > 0) {
      fault("slice", longer("slice", sedf.slice(), sedf.period()));
    }
  }

  private Rtds rtds() {
    Duration period = duration("period", RTDS_SHORTEST, RTDS_LONGEST, ParameterKeys.RTDS.period());
    Duration budget = duration("budget", RTDS_SHORTEST, RTDS_LONGEST, ParameterKeys.RTDS.budget());
    if (budget.compareTo(period) > 0) {
      fault("budget", longer("budget", budget, period));
    }
    return new Rtds(period, budget, extratime(ParameterKeys.RTDS.extratime()));
  }

  private boolean extratime(boolean absent) {
    return map.get("extratime").flatMap(value -> value.bool()).orElse(absent);
  }

  private Duration duration(String key, Duration least, Duration most, Duration absent) {
    return map.get(key)
        .flatMap(value -> value.parsed(text -> ranged(text, least, most)))
        .orElse(absent);
  }

  private static Duration ranged(String text, Duration least, Duration most) {
    Duration duration = DurationText.parse(text);
    if (duration.compareTo(least) < 0 || duration.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "is out of range " + DurationText.of(least) + ".." + DurationText.of(most));
    }
    if (duration.toNanos() % 1000 != 0) {
      throw new IllegalArgumentException("is finer than 1us, the finest that Xen's tools take");
    }
    return duration;
  }

  private String longer(String key, Duration part, Duration period) {
    String left = map.has(key) ? "" : ", Xen's default,";
    return shown(key, part) + left + " is longer than its period of " + DurationText.of(period);
  }

  private String shown(String key, Duration duration) {
    return key + " " + DurationText.of(duration) + " of " + whose;
  }

  private void fault(String key, String message) {
    map.fault(key, message);
  }
}
