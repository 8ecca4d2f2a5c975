package io.slicewise.tune.course;

import io.slicewise.profile.SchedulerProfile;
import java.util.List;

/** Simulates candidates before they are measured. */
@FunctionalInterface
public interface Screening {
  /**
   * The results of simulations.
   *
   * @param values the goal's metric by candidate, for each load in the experiment's order; empty if
   *     nothing could be simulated
   * @param premises the assumptions of the simulation, or why there was none
   */
  record Simulated(List<List<Double>> values, String premises) {
    public Simulated {
      values = values.stream().map(List::copyOf).toList();
    }

    /** Returns a result without simulation, with the reason. */
    public static Simulated none(String why) {
      return new Simulated(List.of(), why);
    }
  }

  /** Simulates each of the profiles at every load. */
  Simulated of(List<SchedulerProfile> profiles);
}
