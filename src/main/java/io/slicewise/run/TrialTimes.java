package io.slicewise.run;

import io.slicewise.base.units.Window;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The times of a trial's warm-up and measurement.
 *
 * @param stepSeconds the duration of each step, in order
 */
public record TrialTimes(Window warmUp, Window window, Map<String, Double> stepSeconds) {
  public TrialTimes {
    stepSeconds = Collections.unmodifiableMap(new LinkedHashMap<>(stepSeconds));
  }
}
