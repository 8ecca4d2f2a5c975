package io.slicewise.run;

import io.slicewise.profile.SchedulerParameters;
import java.util.Map;
import java.util.Optional;

/**
 * The host during a trial.
 *
 * @param pcpus 0 when unknown
 * @param applied what was read back after applying, by domain name
 * @param after what was read again after the load; empty when it was not
 * @param surroundings guests and pools at both ends; empty when they were not read
 * @param labLatenessMillis how late the embedded lab was in the window, 99th percentile; {@code
 *     NaN} on a real host
 */
public record TrialHost(
    int pcpus,
    Map<String, SchedulerParameters> applied,
    Map<String, SchedulerParameters> after,
    Optional<Surroundings> surroundings,
    double labLatenessMillis) {
  public TrialHost {
    applied = Map.copyOf(applied);
    after = Map.copyOf(after);
  }

  /** A host that was not read again after the load. */
  public static TrialHost of(int pcpus, Map<String, SchedulerParameters> applied) {
    return new TrialHost(pcpus, applied, Map.of(), Optional.empty(), Double.NaN);
  }
}
