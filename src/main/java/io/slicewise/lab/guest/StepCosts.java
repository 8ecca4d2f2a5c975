package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestHost.Work;
import io.slicewise.lab.sim.Demands;
import io.slicewise.lab.sim.Demands.Place;
import io.slicewise.lab.sim.WebApplicationModel.PageStep;
import io.slicewise.lab.sim.WebApplicationModel.Route;
import io.slicewise.workload.target.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The cost of each step of a page view, by place. Disk time is not modelled here.
 *
 * @param demands the page view's means
 * @param domains the domain of each place; a missing one costs nothing
 */
record StepCosts(Demands demands, Map<Place, String> domains, ServiceTimes times) {
  List<Work> draw(Step step) {
    List<Work> works = new ArrayList<>();
    for (Route.Visit visit : PageStep.valueOf(step.name()).visits()) {
      String domain = domain(step, visit.place());
      if (!domain.isEmpty()) {
        long mean = Route.PAGE_VIEW.meanNanos(demands, visit);
        works.add(new Work(domain, times.draw(mean)));
      }
    }
    return works;
  }

  /**
   * The domain of a step at a place; traffic inside one guest does not pass through the control
   * domain.
   */
  private String domain(Step step, Place place) {
    boolean network = step == Step.RECEIVE || step == Step.SEND;
    boolean apart = !domains.getOrDefault(Place.WEB, "").equals(domains.get(Place.DATABASE));
    return place == Place.DOM0 && !network && !apart ? "" : domains.getOrDefault(place, "");
  }
}
