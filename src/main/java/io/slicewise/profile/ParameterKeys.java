package io.slicewise.profile;

import io.slicewise.base.units.DurationText;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.profile.SchedulerParameters.Credit2;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The parameters each scheduler has in a file, and Xen's defaults for them. */
final class ParameterKeys {
  /** The schedulers with parameters, by Xen's name. */
  static final Map<String, Scheduler> SCHEDULERS = schedulers();

  static final Credit CREDIT = new Credit(256, 0);
  static final Credit2 CREDIT2 = new Credit2(256, 0);

  /** What a guest has before anyone sets it: best effort, living on extra time. */
  static final Sedf SEDF = new Sedf(Duration.ofMillis(100), Duration.ZERO, Duration.ZERO, true, 0);

  /** Since Xen 4.10; before, extra time did not exist. */
  static final Rtds RTDS = new Rtds(Duration.ofMillis(10), Duration.ofMillis(4), true);

  private ParameterKeys() {}

  private static Map<String, Scheduler> schedulers() {
    Map<String, Scheduler> names = new LinkedHashMap<>();
    List.of(Scheduler.CREDIT, Scheduler.CREDIT2, Scheduler.SEDF, Scheduler.RTDS)
        .forEach(scheduler -> names.put(scheduler.xenName(), scheduler));
    return names;
  }

  static List<String> of(Scheduler scheduler) {
    return List.copyOf(toYaml(defaults(scheduler)).keySet());
  }

  static SchedulerParameters defaults(Scheduler scheduler) {
    return switch (scheduler) {
      case CREDIT -> CREDIT;
      case CREDIT2 -> CREDIT2;
      case SEDF -> SEDF;
      case RTDS -> RTDS;
      case ARINC653, NULL ->
          throw new IllegalArgumentException(scheduler.xenName() + " has no parameters");
    };
  }

  /**
   * The parameters as a file writes them. sEDF by weight leaves period and slice out, since a file
   * may not give both.
   */
  static Map<String, Object> toYaml(SchedulerParameters parameters) {
    Map<String, Object> map = new LinkedHashMap<>();
    if (parameters instanceof Credit credit) {
      map.put("weight", credit.weight());
      map.put("cap", credit.cap());
    } else if (parameters instanceof Credit2 credit2) {
      map.put("weight", credit2.weight());
      map.put("cap", credit2.cap());
    } else if (parameters instanceof Sedf sedf) {
      if (sedf.weight() == 0) {
        map.put("period", DurationText.of(sedf.period()));
        map.put("slice", DurationText.of(sedf.slice()));
      }
      map.put("latency", DurationText.of(sedf.latency()));
      map.put("extratime", sedf.extratime());
      map.put("weight", sedf.weight());
    } else if (parameters instanceof Rtds rtds) {
      map.put("period", DurationText.of(rtds.period()));
      map.put("budget", DurationText.of(rtds.budget()));
      map.put("extratime", rtds.extratime());
    }
    return map;
  }
}
