package io.slicewise.workload;

import io.slicewise.base.units.Measure;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.stats.JainIndex;
import java.util.Collection;
import java.util.Map;

/** How evenly private servers were served. */
public final class Fairness {
  private Fairness() {}

  /**
   * Returns Jain's index of the guests' rates.
   *
   * @param guests the labels of their samples; a guest without answers counts as 0
   */
  public static Measure of(Reduction reduction, Collection<String> guests) {
    Map<String, SampleSummary> byLabel = reduction.byLabel();
    double[] served =
        guests.stream()
            .mapToDouble(guest -> byLabel.containsKey(guest) ? served(byLabel.get(guest)) : 0)
            .toArray();
    return new Measure("fairness", "", true, JainIndex.of(served));
  }

  private static double served(SampleSummary guest) {
    return guest.samples() - guest.failed();
  }
}
