package io.slicewise.run.result;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.slicewise.base.units.Window;
import io.slicewise.stats.SlowdownAlarm;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The times of a trial's warm-up and measurement.
 *
 * @param stepSeconds the duration of each step, in order
 * @param cut why a guard ended the window early; empty where none did
 */
public record TrialTimes(
    Window warmUp,
    Window window,
    Map<String, Double> stepSeconds,
    @JsonInclude(JsonInclude.Include.NON_ABSENT) Optional<CutShort> cut) {
  public TrialTimes {
    stepSeconds = Collections.unmodifiableMap(new LinkedHashMap<>(stepSeconds));
    // Not written for a window of the planned length.
    cut = cut == null ? Optional.empty() : cut;
  }

  /** The times of a trial that no guard ended. */
  public TrialTimes(Window warmUp, Window window, Map<String, Double> stepSeconds) {
    this(warmUp, window, stepSeconds, Optional.empty());
  }

  /**
   * Why a guard ended a window before its time, whoever's it was.
   *
   * @param kind of the alarm; a candidate leaves at once unless it only looked slower
   * @param sentence what its users experienced
   * @param restoreSeconds from the alarm to the settings found, read back; 0 where they were set
   */
  public record CutShort(SlowdownAlarm.Kind kind, String sentence, double restoreSeconds) {}
}
