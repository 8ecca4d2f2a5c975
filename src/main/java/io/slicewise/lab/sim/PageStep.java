package io.slicewise.lab.sim;

import io.slicewise.lab.sim.Route.Visit;
import java.util.List;

/**
 * The steps of one page view of the sample web application, in order, and the places that each
 * visits. Every step except rendering passes through Domain-0. The embedded lab charges its guests
 * for each step of the real application; {@link Route#PAGE_VIEW} consists of all steps.
 */
public enum PageStep {
  RECEIVE,
  SIGN_IN_QUERY,
  LOG_INSERT,
  CONTENT_QUERY,
  HEADER_FILE,
  FOOTER_FILE,
  RENDER,
  SEND;

  /** The visits of the step, in order; weights are shares of those of {@link Route#PAGE_VIEW}. */
  public List<Visit> visits() {
    return switch (this) {
      case RECEIVE -> List.of(new Visit(Place.DOM0, 1), new Visit(Place.WEB, 15));
      case SIGN_IN_QUERY, CONTENT_QUERY -> query(3);
      case LOG_INSERT -> query(4);
      case HEADER_FILE, FOOTER_FILE ->
          List.of(new Visit(Place.WEB, 5), new Visit(Place.DOM0, 1), new Visit(Place.FILE, 1));
      case RENDER -> List.of(new Visit(Place.WEB, 35));
      case SEND -> List.of(new Visit(Place.WEB, 10), new Visit(Place.DOM0, 2));
    };
  }

  private static List<Visit> query(int weight) {
    return List.of(
        new Visit(Place.WEB, 10), new Visit(Place.DOM0, 1), new Visit(Place.DATABASE, weight));
  }
}
