package io.slicewise.workload.target;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** The steps that remove what a set-up made. */
public final class TearDown {
  private TearDown() {}

  /**
   * Takes every step in this order, whatever becomes of the others. Throws the first fault; the
   * later ones are suppressed by it.
   */
  public static void inTurn(Collection<Runnable> steps) {
    List<RuntimeException> faults = new ArrayList<>();
    for (Runnable step : steps) {
      try {
        step.run();
      } catch (RuntimeException fault) {
        faults.add(fault);
      }
    }
    if (!faults.isEmpty()) {
      faults.stream().skip(1).forEach(faults.get(0)::addSuppressed);
      throw faults.get(0);
    }
  }
}
