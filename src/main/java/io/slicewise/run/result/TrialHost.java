package io.slicewise.run.result;

import io.slicewise.profile.SchedulerParameters;
import java.util.Map;
import java.util.Optional;

/**
 * The host during a trial.
 *
 * @param pcpus 0 if unknown
 * @param applied settings read back after applying, by domain name
 * @param after settings read again after the load; empty if they were not
 * @param surroundings guests and pools before and after; empty if they were not read
 * @param labLatenessMillis lateness of the embedded lab in the window, 99th percentile; {@code NaN}
 *     on a real host
 * @param otherWorkShare share of this machine's CPU that other programs used in the window, 0..1;
 *     {@code NaN} if unknown
 */
public record TrialHost(
    int pcpus,
    Map<String, SchedulerParameters> applied,
    Map<String, SchedulerParameters> after,
    Optional<Surroundings> surroundings,
    double labLatenessMillis,
    double otherWorkShare) {
  public TrialHost {
    applied = Map.copyOf(applied);
    after = Map.copyOf(after);
  }

  /** Returns a host that was not read again after the load. */
  public static TrialHost of(int pcpus, Map<String, SchedulerParameters> applied) {
    return new TrialHost(pcpus, applied, Map.of(), Optional.empty(), Double.NaN, Double.NaN);
  }
}
