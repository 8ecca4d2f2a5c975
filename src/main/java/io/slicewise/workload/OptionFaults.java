package io.slicewise.workload;

import io.slicewise.base.units.SlicewiseException;

/** Formats an error for a single line. */
final class OptionFaults {
  private OptionFaults() {}

  /** Returns the message and the hint, if any. */
  static String inOneLine(SlicewiseException fault) {
    return fault.hint().isEmpty() ? fault.getMessage() : fault.getMessage() + "; " + fault.hint();
  }
}
