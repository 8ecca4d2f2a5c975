package io.slicewise.evidence.findings;

import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Schedulers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Profiles that cross two parameters of a scheduler: weight × cap, slice × period, budget × period.
 *
 * @param domains whose settings form the grid, equal in all of them
 * @param across values of one parameter, ascending
 * @param down values of the other, ascending
 * @param places at most one profile per crossing; at least three quarters of the crossings have one
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

  /** The position of a profile in the values of both axes. */
  public record Place(int across, int down, String profile) {}

  /** Returns the grids in an experiment; domains with the same grid share one. */
  public static List<ProfileGrid> of(Experiment experiment) {
    List<String> domains =
        experiment.domains().values().stream().flatMap(List::stream).distinct().sorted().toList();
    Map<List<Object>, ProfileGrid> grids = new LinkedHashMap<>();
    for (Scheduler scheduler : Schedulers.KNOWN.all()) {
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

  /** Returns the values of the parameters that a grid crosses; empty if these have no effect. */
  private static List<Double> place(SchedulerParameters parameters) {
    List<Parameter<?>> axes = parameters.scheduler().axes();
    boolean replaced =
        parameters.scheduler().share().filter(time -> time.isReplaced(parameters)).isPresent();
    if (parameters.isByVcpu() || replaced || axes.size() < 2) {
      return List.of();
    }
    return axes.stream().limit(2).allMatch(axis -> parameters.optionalNumber(axis).isPresent())
        ? List.of(parameters.number(axes.get(0)), parameters.number(axes.get(1)))
        : List.of();
  }

  private static Axis axis(Scheduler scheduler, int which, List<Double> values) {
    Parameter<?> parameter = scheduler.axes().get(which);
    return new Axis(parameter.key(), parameter.kind().unit(), values);
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
