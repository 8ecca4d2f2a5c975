package io.slicewise.xen;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.RtdsByVcpu;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;

/**
 * Whether a reading is what the toolstack shows for a setting.
 *
 * @param sedfStep the step in which sEDF's times are printed
 */
record Readings(Duration sedfStep) {
  /** xm turns milliseconds into nanoseconds through floating point and cuts. */
  private static final long CUT_NANOS = 1;

  boolean show(SchedulerParameters set, SchedulerParameters read) {
    if (set instanceof Sedf asked && read instanceof Sedf shown) {
      return showSedf(asked, shown);
    }
    if (set instanceof RtdsByVcpu asked && read instanceof Rtds shown) {
      return asked.vcpus().stream().allMatch(shown::equals);
    }
    return set.equals(read);
  }

  private boolean showSedf(Sedf asked, Sedf shown) {
    if (asked.extratime() != shown.extratime()
        || asked.weight() != shown.weight()
        || !near(asked.latency(), shown.latency())) {
      return false;
    }
    if (asked.weight() > 0) {
      return true; // Xen works period and slice out from the weights
    }
    if (SettingRules.bestEffort(asked)) {
      return shown.slice().isZero(); // the period stands idle, at Xen's 100 ms
    }
    return near(asked.period(), shown.period()) && near(asked.slice(), shown.slice());
  }

  private boolean near(Duration asked, Duration shown) {
    long off = asked.minus(shown).abs().toNanos();
    return off <= sedfStep.toNanos() / 2 + CUT_NANOS;
  }
}
