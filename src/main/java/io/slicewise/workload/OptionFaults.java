package io.slicewise.workload;

import io.slicewise.base.units.SlicewiseException;

/** Words of a fault for where there is one line for it. */
final class OptionFaults {
  private OptionFaults() {}

  /** What is wrong and, if there is one, the way out. */
  static String inOneLine(SlicewiseException fault) {
    return fault.hint().isEmpty() ? fault.getMessage() : fault.getMessage() + "; " + fault.hint();
  }
}
