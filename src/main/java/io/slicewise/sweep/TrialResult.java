package io.slicewise.sweep;

import io.slicewise.experiment.Trial;
import io.slicewise.load.GeneratorHealth;
import io.slicewise.monitor.MonitorResult;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.units.Window;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What one trial gave: the content of its {@code trial.json}.
 *
 * @param reasons why it is not valid, by the rules fixed beforehand; empty = valid
 * @param applied what was read back after applying, by domain name
 * @param load empty when nothing was loaded ({@code observe})
 * @param generator empty when nothing was loaded
 * @param stepSeconds how long each step took, in order
 */
public record TrialResult(
    Trial trial,
    List<String> reasons,
    List<String> warnings,
    Window warmUp,
    Window window,
    Map<String, SchedulerParameters> applied,
    Optional<LoadResult> load,
    MonitorResult monitor,
    Optional<GeneratorHealth> generator,
    Map<String, Double> stepSeconds) {
  public TrialResult {
    reasons = List.copyOf(reasons);
    warnings = List.copyOf(warnings);
    applied = Map.copyOf(applied);
  }

  /** The same with more warnings behind its own. */
  TrialResult withWarnings(List<String> more) {
    return new TrialResult(
        trial,
        reasons,
        Stream.concat(warnings.stream(), more.stream()).toList(),
        warmUp,
        window,
        applied,
        load,
        monitor,
        generator,
        stepSeconds);
  }

  public boolean valid() {
    return reasons.isEmpty();
  }
}
