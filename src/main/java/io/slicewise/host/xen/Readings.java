package io.slicewise.host.xen;

import io.slicewise.base.units.DurationText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.RtdsByVcpu;
import io.slicewise.profile.SchedulerParameters.Sedf;
import java.time.Duration;
import java.util.Optional;

/**
 * Whether a reading is what the toolstack shows for a setting.
 *
 * @param sedfStep the step in which sEDF's times are printed
 */
record Readings(Duration sedfStep) {
  /** xm turns milliseconds into nanoseconds through floating point and cuts. */
  private static final long CUT_NANOS = 1;

  /** What Xen shows as the period of a domain that lives on extra time alone. */
  private static final Duration IDLE_PERIOD = Duration.ofMillis(100);

  boolean show(SchedulerParameters set, SchedulerParameters read) {
    if (set instanceof Sedf asked && read instanceof Sedf shown) {
      return showSedf(asked, shown);
    }
    if (set instanceof RtdsByVcpu asked && read instanceof Rtds shown) {
      return asked.vcpus().stream().allMatch(shown::equals);
    }
    return set.equals(read);
  }

  /**
   * Why the listing does not say enough to set the same again. Xen takes no slice of 0, except from
   * domains that live on extra time alone; those show a period of 100 ms.
   */
  Optional<String> hidden(String tool, SchedulerParameters shown) {
    if (!(shown instanceof Sedf sedf) || sedf.weight() > 0) {
      return Optional.empty();
    }
    boolean bestEffort = SettingRanges.bestEffort(sedf) && sedf.period().equals(IDLE_PERIOD);
    return bestEffort || !(sedf.slice().isZero() || sedf.period().isZero())
        ? Optional.empty()
        : Optional.of(
            "%s shows times in steps of %s and prints %s of it as 0, so what is set cannot be read"
                .formatted(
                    tool,
                    DurationText.of(sedfStep),
                    sedf.period().isZero() ? "the period" : "the slice"));
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
    if (SettingRanges.bestEffort(asked)) {
      return shown.slice().isZero(); // the period stands idle, at Xen's 100 ms
    }
    return near(asked.period(), shown.period()) && near(asked.slice(), shown.slice());
  }

  private boolean near(Duration asked, Duration shown) {
    long off = asked.minus(shown).abs().toNanos();
    return off <= sedfStep.toNanos() / 2 + CUT_NANOS;
  }
}
