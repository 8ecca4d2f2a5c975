package io.slicewise.workload;

import io.slicewise.units.SlicewiseException;
import java.util.ArrayList;
import java.util.List;

/** The steps that remove what a set-up made. */
public final class TearDown {
  private TearDown() {}

  /**
   * Takes every step in this order, whatever becomes of the others.
   *
   * @throws SlicewiseException the first fault; the later ones are suppressed by it
   */
  public static void inTurn(List<Runnable> steps) {
    List<SlicewiseException> faults = new ArrayList<>();
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (SlicewiseException fault) {
        faults.add(fault);
      }
    }
    if (!faults.isEmpty()) {
      faults.stream().skip(1).forEach(faults.get(0)::addSuppressed);
      throw faults.get(0);
    }
  }
}
