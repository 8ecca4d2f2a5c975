package io.slicewise.lab.libvirt;

import java.util.EnumMap;
import java.util.Map;

/**
 * The scheduler parameters of a guest as its XML keeps them: those that were set, and no others.
 */
public final class CpuTune {
  private final Map<TuneParameter, Long> values = new EnumMap<>(TuneParameter.class);

  CpuTune copy() {
    CpuTune copy = new CpuTune();
    copy.values.putAll(values);
    return copy;
  }

  /** The value kept; 0 for none. */
  public long get(TuneParameter parameter) {
    return values.getOrDefault(parameter, 0L);
  }

  /** Whether shares were set, be it to 0; a 0 of any other parameter is none. */
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
