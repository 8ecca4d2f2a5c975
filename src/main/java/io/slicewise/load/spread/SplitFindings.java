package io.slicewise.load.spread;

import io.slicewise.base.units.SlicewiseException;
import java.nio.file.Path;
import java.util.List;

/**
 * What was found about a plan for several generators, one sentence each.
 *
 * @param faults why it cannot run on them
 * @param warnings what is different with them
 */
public record SplitFindings(List<String> faults, List<String> warnings) {
  public static final String WAY_OUT =
      "change the plan or the loads, or allow each generator its own with 'each: true' or 'data:"
          + " same' below 'generators'";

  public SplitFindings {
    faults = List.copyOf(faults);
    warnings = List.copyOf(warnings);
  }

  /**
   * Refuses a plan that cannot be split.
   *
   * @throws SlicewiseException with all faults, if there are any
   */
  public void refuse(Path plan) {
    if (!faults.isEmpty()) {
      throw SlicewiseException.input(
          "plan %s cannot run on several generators: %s".formatted(plan, String.join("; ", faults)),
          WAY_OUT);
    }
  }
}
