package io.slicewise.lab.guest;

import io.slicewise.lab.guest.GuestCpu.Burst;
import io.slicewise.target.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What each step of a page view costs, and where. Every step but putting the page together passes
 * through Domain-0, whose drivers carry packets and blocks between the guests.
 *
 * @param demand the page view's mean CPU time by part
 */
public record StepCosts(Map<Part, Duration> demand, RandomGenerator random) {
  /** A burst longer than this many means is cut: no page of the study took seconds of CPU. */
  private static final double LONGEST_IN_MEANS = 8;

  /** Who works for a page view. */
  public enum Part {
    WEB,
    DATABASE,
    FILES,
    DOM0
  }

  private record Visit(Part part, double fraction) {}

  public StepCosts {
    demand = Map.copyOf(demand);
  }

  private static List<Visit> visits(Step step) {
    return switch (step) {
      case RECEIVE -> List.of(new Visit(Part.DOM0, 0.125), new Visit(Part.WEB, 0.15));
      case SIGN_IN_QUERY -> query(0.3);
      case LOG_INSERT -> query(0.4);
      case CONTENT_QUERY -> query(0.3);
      case HEADER_FILE, FOOTER_FILE -> file();
      case RENDER -> List.of(new Visit(Part.WEB, 0.35));
      case SEND -> List.of(new Visit(Part.WEB, 0.1), new Visit(Part.DOM0, 0.25));
    };
  }

  private static List<Visit> query(double fraction) {
    return List.of(
        new Visit(Part.WEB, 0.1), new Visit(Part.DOM0, 0.125), new Visit(Part.DATABASE, fraction));
  }

  private static List<Visit> file() {
    return List.of(
        new Visit(Part.WEB, 0.05), new Visit(Part.DOM0, 0.125), new Visit(Part.FILES, 0.5));
  }

  /** The bursts of one step, drawn anew each time. */
  List<Burst> draw(Step step, Map<Part, Integer> domids) {
    List<Burst> bursts = new ArrayList<>();
    for (Visit visit : visits(step)) {
      double mean = visit.fraction * demand.get(visit.part).toNanos();
      if (mean > 0) {
        bursts.add(new Burst(domids.get(visit.part), exponential(mean)));
      }
    }
    return bursts;
  }

  private synchronized long exponential(double mean) {
    double drawn = Math.min(-Math.log(1 - random.nextDouble()), LONGEST_IN_MEANS);
    return Math.max(1, Math.round(mean * drawn));
  }
}
