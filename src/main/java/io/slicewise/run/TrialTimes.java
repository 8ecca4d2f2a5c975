package io.slicewise.run;

import io.slicewise.base.units.Window;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * When a trial warmed up and measured.
 *
 * @param stepSeconds how long each step took, in order
 */
public record TrialTimes(Window warmUp, Window window, Map<String, Double> stepSeconds) {
  public TrialTimes {
    stepSeconds = Collections.unmodifiableMap(new LinkedHashMap<>(stepSeconds));
  }
}
