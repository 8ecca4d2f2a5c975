package io.slicewise.tune.course;

import io.slicewise.profile.SchedulerProfile;
import java.util.List;

/** Simulates candidates before any of them is measured. */
@FunctionalInterface
public interface Screening {
  /**
   * What simulations gave.
   *
   * @param values the goal's metric by candidate, for each load in the experiment's order; empty
   *     where nothing could be simulated
   * @param premises what was simulated with, or why nothing was
   */
  record Simulated(List<List<Double>> values, String premises) {
    public Simulated {
      values = values.stream().map(List::copyOf).toList();
    }

    /** Nothing could be simulated. */
    public static Simulated none(String why) {
      return new Simulated(List.of(), why);
    }
  }

  /** Simulates each of the profiles at every load. */
  Simulated of(List<SchedulerProfile> profiles);
}
