package io.slicewise.lab.libvirt;

import java.util.EnumMap;
import java.util.Map;

/** The scheduler parameters in a guest's configuration: only those that were set. */
public final class CpuTune {
  private final Map<TuneParameter, Long> values = new EnumMap<>(TuneParameter.class);

  CpuTune copy() {
    CpuTune copy = new CpuTune();
    copy.values.putAll(values);
    return copy;
  }

  /** Returns the value of a parameter, or 0 if it has none. */
  public long get(TuneParameter parameter) {
    return values.getOrDefault(parameter, 0L);
  }

  /**
   * Returns whether a parameter is set. Shares can be set to 0; for any other parameter 0 means
   * unset.
   */
  public boolean has(TuneParameter parameter) {
    return values.containsKey(parameter);
  }

  void set(TuneParameter parameter, long value) {
    if (value == 0 && parameter != TuneParameter.CPU_SHARES) {
      values.remove(parameter);
    } else {
      values.put(parameter, value);
    }
  }
}
