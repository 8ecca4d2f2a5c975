package io.slicewise.lab.sim;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** The visits of one request, in order, which divide each place's demand. */
public record Route(List<Visit> visits) {
  /** One visit; its mean is the share of its weight in the route's total for the place. */
  public record Visit(Place place, int weight) {}

  /**
   * The route of the 2010 study's application, as far as known from its tables: one query, one
   * file, one disk.
   */
  public static final Route STUDY_2010 =
      new Route(
          Stream.of(
                  Place.DOM0,
                  Place.WEB,
                  Place.DOM0,
                  Place.DATABASE,
                  Place.DOM0,
                  Place.DISK,
                  Place.WEB,
                  Place.DOM0,
                  Place.FILE,
                  Place.WEB,
                  Place.DOM0)
              .map(place -> new Visit(place, 1))
              .toList());

  /** Every step of the sample web application; waits off the CPUs come last. */
  public static final Route PAGE_VIEW =
      new Route(
          Stream.concat(
                  Arrays.stream(PageStep.values()).flatMap(step -> step.visits().stream()),
                  Stream.of(new Visit(Place.DISK, 1)))
              .toList());

  public Route {
    visits = List.copyOf(visits);
  }

  /** Mean time of a visit under these demands, in nanoseconds. */
  public long meanNanos(Demands demands, Visit visit) {
    int all = 0;
    for (Visit each : visits) {
      all += each.place() == visit.place() ? each.weight() : 0;
    }
    return demands.at(visit.place()).toNanos() * visit.weight() / all;
  }

  /** The route without visits that take no time under these demands. */
  Route needed(Demands demands) {
    List<Visit> needed = new ArrayList<>(visits);
    needed.removeIf(visit -> demands.at(visit.place()).isZero());
    return new Route(needed);
  }
}
