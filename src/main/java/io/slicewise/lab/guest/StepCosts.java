package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestCpu.Burst;
import io.slicewise.sim.Demands;
import io.slicewise.sim.PageStep;
import io.slicewise.sim.Place;
import io.slicewise.sim.Route;
import io.slicewise.target.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What each step of a page view costs, and where. Time at the disk is not modelled here.
 *
 * @param demands the page view's means
 */
public record StepCosts(Demands demands, RandomGenerator random) {
  /** A burst longer than this many means is cut: no page of the study took seconds of CPU. */
  private static final double LONGEST_IN_MEANS = 8;

  /** The bursts of one step, drawn anew each time. */
  List<Burst> draw(Step step, Map<Place, Integer> domids) {
    List<Burst> bursts = new ArrayList<>();
    for (Route.Visit visit : PageStep.valueOf(step.name()).visits()) {
      long mean = Route.PAGE_VIEW.meanNanos(demands, visit);
      if (mean > 0) {
        bursts.add(new Burst(domids.get(visit.place()), exponential(mean)));
      }
    }
    return bursts;
  }

  private synchronized long exponential(long mean) {
    double drawn = Math.min(-Math.log(1 - random.nextDouble()), LONGEST_IN_MEANS);
    return Math.max(1, Math.round(mean * drawn));
  }
}
