package io.slicewise.workload;

import io.slicewise.units.SlicewiseException;

/** Words of a fault for where there is one line for it. */
final class Faults {
  private Faults() {}

  /** What is wrong and, if there is one, the way out. */
  static String inOneLine(SlicewiseException fault) {
    return fault.hint().isEmpty() ? fault.getMessage() : fault.getMessage() + "; " + fault.hint();
  }
}
