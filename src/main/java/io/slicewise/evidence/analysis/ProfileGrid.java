package io.slicewise.evidence.analysis;

import io.slicewise.experiment.Experiment;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Profiles that cross two parameters of a scheduler: weight × cap, slice × period, budget × period.
 *
 * @param domains whose settings make the grid, alike in all of them
 * @param across values of the one parameter, ascending
 * @param down values of the other, ascending
 * @param places at most one profile a crossing; at least three quarters of them are taken
 */
public record ProfileGrid(
    Scheduler scheduler, List<String> domains, Axis across, Axis down, List<Place> places) {
  private static final double LEAST_FILLED = 0.75;

  public ProfileGrid {
    domains = List.copyOf(domains);
    places = List.copyOf(places);
  }

  /**
   * A parameter with its unit ({@code ms}, {@code %}, or none) and values; no cap (0) comes last,
   * being the widest.
   */
  public record Axis(String parameter, String unit, List<Double> values) {
    public Axis {
      values = List.copyOf(values);
    }
  }

  /** Where a profile stands: positions in the axes' values. */
  public record Place(int across, int down, String profile) {}

  /** The grids in an experiment; domains with the same grid share one. */
  public static List<ProfileGrid> of(Experiment experiment) {
    List<String> domains =
        experiment.domains().values().stream().flatMap(List::stream).distinct().sorted().toList();
    Map<List<Object>, ProfileGrid> grids = new LinkedHashMap<>();
    for (Scheduler scheduler : Scheduler.values()) {
      for (String domain : domains) {
        grid(experiment, scheduler, domain)
            .ifPresent(
                grid ->
                    grids.merge(
                        List.of(scheduler, grid.across, grid.down, grid.places),
                        grid,
                        ProfileGrid::sharedWith));
      }
    }
    return List.copyOf(grids.values());
  }

  private ProfileGrid sharedWith(ProfileGrid other) {
    List<String> all = new ArrayList<>(domains);
    all.addAll(other.domains);
    return new ProfileGrid(scheduler, all, across, down, places);
  }

  private static Optional<ProfileGrid> grid(
      Experiment experiment, Scheduler scheduler, String domain) {
    Map<List<Double>, String> profiles = new LinkedHashMap<>();
    for (SchedulerProfile profile : experiment.profiles()) {
      SchedulerParameters parameters = experiment.settings(profile).get(domain);
      if (parameters != null
          && parameters.scheduler() == scheduler
          && !Comparisons.isControl(experiment, profile.name())) {
        List<Double> place = place(parameters);
        if (place.isEmpty() || profiles.put(place, profile.name()) != null) {
          return Optional.empty();
        }
      }
    }
    List<Double> across = values(profiles, 0);
    List<Double> down = values(profiles, 1);
    boolean crossed =
        across.size() > 1
            && down.size() > 1
            && profiles.size() >= LEAST_FILLED * across.size() * down.size();
    return crossed
        ? Optional.of(
            new ProfileGrid(
                scheduler,
                List.of(domain),
                axis(scheduler, 0, across),
                axis(scheduler, 1, down),
                places(profiles, across, down)))
        : Optional.empty();
  }

  private static List<Double> place(SchedulerParameters parameters) {
    if (parameters instanceof SchedulerParameters.Credit credit) {
      return Arrays.asList((double) credit.weight(), (double) credit.cap());
    }
    if (parameters instanceof SchedulerParameters.Credit2 credit2) {
      return Arrays.asList((double) credit2.weight(), (double) credit2.cap());
    }
    if (parameters instanceof SchedulerParameters.Sedf sedf && sedf.weight() == 0) {
      return Arrays.asList(millis(sedf.period()), millis(sedf.slice()));
    }
    if (parameters instanceof SchedulerParameters.Rtds rtds) {
      return Arrays.asList(millis(rtds.period()), millis(rtds.budget()));
    }
    return List.of();
  }

  private static double millis(Duration time) {
    return time.toNanos() / 1e6;
  }

  private static Axis axis(Scheduler scheduler, int which, List<Double> values) {
    return switch (scheduler) {
      case SEDF -> new Axis(which == 0 ? "period" : "slice", "ms", values);
      case RTDS -> new Axis(which == 0 ? "period" : "budget", "ms", values);
      default -> new Axis(which == 0 ? "weight" : "cap", which == 0 ? "" : "%", values);
    };
  }

  private static List<Double> values(Map<List<Double>, String> profiles, int which) {
    return profiles.keySet().stream()
        .map(place -> place.get(which))
        .distinct()
        .sorted(Comparator.comparingDouble(value -> value == 0 ? Double.MAX_VALUE : value))
        .toList();
  }

  private static List<Place> places(
      Map<List<Double>, String> profiles, List<Double> across, List<Double> down) {
    Map<Integer, Place> places = new TreeMap<>();
    profiles.forEach(
        (place, profile) -> {
          int x = across.indexOf(place.get(0));
          int y = down.indexOf(place.get(1));
          places.put(y * across.size() + x, new Place(x, y, profile));
        });
    return List.copyOf(places.values());
  }
}
