package io.slicewise.base.units;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Runs the steps that undo a set-up. */
public final class TearDown {
  private TearDown() {}

  /**
   * Runs every step in order, even if others fail. Throws the first exception, with later ones as
   * suppressed.
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
