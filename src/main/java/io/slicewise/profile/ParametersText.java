package io.slicewise.profile;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.stream.Collectors;

/** Scheduler parameters in the words a person would use: {@code weight 512 cap 0}. */
public final class ParametersText {
  private ParametersText() {}

  public static String of(SchedulerParameters parameters) {
    if (parameters instanceof SchedulerParameters.Credit credit) {
      return "weight " + credit.weight() + " cap " + credit.cap();
    }
    if (parameters instanceof SchedulerParameters.Credit2 credit2) {
      return "weight " + credit2.weight() + " cap " + credit2.cap();
    }
    if (parameters instanceof SchedulerParameters.Sedf sedf) {
      return "slice "
          + millis(sedf.slice())
          + " of "
          + millis(sedf.period())
          + (sedf.extratime() ? " extratime" : "")
          + (sedf.weight() > 0 ? " weight " + sedf.weight() : "");
    }
    if (parameters instanceof SchedulerParameters.RtdsByVcpu byVcpu) {
      return byVcpu.vcpus().stream().map(ParametersText::of).collect(Collectors.joining(", "));
    }
    SchedulerParameters.Rtds rtds = (SchedulerParameters.Rtds) parameters;
    return "budget "
        + millis(rtds.budget())
        + " of "
        + millis(rtds.period())
        + (rtds.extratime() ? " extratime" : "");
  }

  private static String millis(Duration duration) {
    return BigDecimal.valueOf(duration.toNanos(), 6).stripTrailingZeros().toPlainString() + " ms";
  }
}
