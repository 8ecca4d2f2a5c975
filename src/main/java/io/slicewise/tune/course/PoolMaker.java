package io.slicewise.tune.course;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.tune.Rules;
import io.slicewise.tune.SearchSpace;
import io.slicewise.tune.course.CandidatePool.Candidate;
import io.slicewise.tune.course.CandidatePool.Candidate.Origin;
import io.slicewise.tune.course.TuneCourse.Allowance;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Chooses the candidates of a tune: the settings found, the profiles listed, and Sobol' points of
 * the search space. The best simulated candidates and two random ones start the race; without a
 * simulation, the first points, which fill the space evenly.
 */
public final class PoolMaker {
  /** The number of simulated points of the space. */
  static final int SIMULATED_POINTS = 96;

  /** The number of further points that the response surface may propose. */
  static final int FURTHER_POINTS = 160;

  private static final String EQUAL_RATIOS = "the same weight ratios as another candidate";
  private static final int BEST = 12;
  private static final int RANDOM = 2;

  private final Experiment experiment;
  private final Optional<KnobSpace> space;
  private final Function<SchedulerProfile, Optional<String>> refusal;
  private final GoalMetric metric;
  private final Map<String, SchedulerParameters> found;

  /**
   * @param space empty if only profiles are listed
   * @param found the host's settings by domain; empty if they are unknown
   * @param refusal why the host cannot take a profile
   */
  public PoolMaker(
      Experiment experiment,
      Optional<KnobSpace> space,
      Map<String, SchedulerParameters> found,
      Function<SchedulerProfile, Optional<String>> refusal) {
    this.refusal = refusal;
    this.experiment = experiment;
    this.space = space;
    this.found = Map.copyOf(found);
    this.metric = new GoalMetric(experiment);
  }

  /**
   * Returns the candidates, simulated and chosen.
   *
   * @param seconds duration of a trial or window, if known
   * @throws SlicewiseException if no candidate except the settings found is left
   */
  public CandidatePool pool(Screening screening, OptionalDouble seconds) {
    List<String> leftOut = new ArrayList<>();
    List<Candidate> candidates = candidates(leftOut);
    if (candidates.size() < 2) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "no point of the search is valid on this host: " + String.join("; ", leftOut),
          "change the ranges under search");
    }
    int number = Math.min(candidates.size(), SIMULATED_POINTS + 1 + experiment.profiles().size());
    Screening.Simulated simulated =
        screening.of(candidates.subList(0, number).stream().map(Candidate::profile).toList());
    for (int i = 0; i < simulated.values().size(); i++) {
      candidates.set(i, candidates.get(i).simulatedAs(simulated.values().get(i)));
    }
    List<List<String>> entrants =
        TuneCourse.groups(experiment).stream()
            .map(
                loads ->
                    entrants(
                        candidates,
                        !simulated.values().isEmpty(),
                        loads,
                        places(loads.size(), seconds.orElse(Planner.plannedSeconds(experiment)))))
            .toList();
    return new CandidatePool(
        space.map(KnobSpace::knobs).orElse(List.of()),
        candidates,
        leftOut,
        entrants,
        simulated.premises(),
        !simulated.values().isEmpty());
  }

  /** Returns all candidates before simulation. */
  List<Candidate> candidates(List<String> leftOut) {
    List<Candidate> candidates = new ArrayList<>();
    candidates.add(
        new Candidate(
            SchedulerProfile.AS_FOUND,
            Origin.FOUND,
            space.map(KnobSpace::pointFound).orElse(List.of()),
            List.of()));
    Ratios ratios = new Ratios(found);
    ratios.earlier(SchedulerProfile.AS_FOUND.name(), Map.of());
    List<SchedulerProfile> listed = new ArrayList<>(experiment.profiles());
    listed.remove(SchedulerProfile.AS_FOUND);
    for (SchedulerProfile one : listed) {
      ratios
          .earlier(one.name(), experiment.settings(one))
          .ifPresentOrElse(
              same ->
                  leftOut.add(
                      "%s has the same weight ratios as %s: they are one candidate"
                          .formatted(one.name(), same)),
              () -> candidates.add(new Candidate(one, Origin.LISTED, List.of(), List.of())));
    }
    space.ifPresent(knobs -> addPoints(knobs, ratios, candidates, leftOut));
    return candidates;
  }

  private void addPoints(
      KnobSpace knobs, Ratios ratios, List<Candidate> candidates, List<String> leftOut) {
    SearchSpace.Candidates points =
        new SearchSpace(knobs.knobs())
            .candidates(
                SIMULATED_POINTS + FURTHER_POINTS,
                point ->
                    knobs
                        .fault(point)
                        .or(
                            () ->
                                ratios.earlier("", knobs.settings(point)).map(same -> EQUAL_RATIOS))
                        .or(() -> refusal.apply(knobs.profile(knobs.name(point), point))));
    Set<String> reasons = new LinkedHashSet<>();
    points.leftOut().stream().filter(reason -> !reason.equals(EQUAL_RATIOS)).forEach(reasons::add);
    long equal = points.leftOut().stream().filter(EQUAL_RATIOS::equals).count();
    if (equal > 0) {
      reasons.add(
          "%s with the same weight ratios as another candidate"
              .formatted(Plural.of(equal, "point")));
    }
    leftOut.addAll(reasons.stream().limit(BEST).toList());
    List<Double> found = knobs.pointFound();
    for (List<Double> point : points.points()) {
      if (!point.equals(found)) {
        candidates.add(
            new Candidate(
                knobs.profile(knobs.name(point), point), Origin.SEARCHED, point, List.of()));
      }
    }
  }

  /** Returns the settings found, the profiles listed, and as many points as the budget can race. */
  private List<String> entrants(
      List<Candidate> candidates, boolean simulated, List<Load> loads, int places) {
    List<Candidate> ranked = new ArrayList<>(candidates.subList(1, candidates.size()));
    if (simulated) {
      ranked.removeIf(one -> one.simulated().isEmpty());
      ranked.sort(Comparator.comparingDouble(one -> rank(one, loads)));
    }
    ranked.sort(Comparator.comparing((Candidate one) -> one.origin() != Origin.LISTED));
    int random = simulated && places > RANDOM + 1 ? RANDOM : 0;
    int best = Math.min(ranked.size(), places - random);
    List<Candidate> chosen = new ArrayList<>(ranked.subList(0, best));
    List<Candidate> rest = new ArrayList<>(ranked.subList(best, ranked.size()));
    Collections.shuffle(rest, new Random(experiment.seed()));
    chosen.addAll(rest.subList(0, Math.min(random, rest.size())));
    List<String> names = new ArrayList<>(List.of(candidates.get(0).name()));
    chosen.forEach(one -> names.add(one.name()));
    return names;
  }

  private double rank(Candidate one, List<Load> loads) {
    Map<Load, Double> byLoad = new HashMap<>();
    for (Load load : loads) {
      byLoad.put(load, one.simulated().get(experiment.loads().indexOf(load)));
    }
    OptionalDouble value = metric.of(byLoad);
    return value.isEmpty()
        ? Double.POSITIVE_INFINITY
        : metric.lowerIsBetter() ? value.getAsDouble() : -value.getAsDouble();
  }

  /**
   * Returns how many candidates, in addition to the settings found, the budget can race in its
   * first blocks.
   */
  private int places(int loads, double seconds) {
    Allowance all =
        Allowance.of(
            experiment.tuning().orElseThrow().budget(),
            (double) loads / experiment.loads().size(),
            0,
            0);
    double fixed =
        Planner.CALIBRATION_TRIALS + 2.0 * loads * Planner.blocksOfConfirmation(experiment);
    Costs costs = new Costs(seconds, Costs.planned(experiment).session(), 0);
    int places = BEST + RANDOM;
    while (places > 1) {
      double number = fixed + (double) Rules.DEFAULT.firstBlocks() * loads * (places + 1);
      if (all.covers(number, costs.of(number, 1 + sessions(experiment, loads)))) {
        return places;
      }
      places--;
    }
    return places;
  }

  /** Returns the sessions of the first blocks and a confirmation. */
  private static double sessions(Experiment experiment, int loads) {
    int blocks = experiment.design().map(SessionDesign::blocks).orElse(1);
    return loads * (1 + Math.ceil((double) Rules.DEFAULT.firstBlocks() / blocks));
  }

  /**
   * Returns the fewest trials or windows that give an answer: two candidates in their first blocks,
   * and a confirmation.
   */
  public static double fewestTrials(Experiment experiment) {
    return experiment.loads().size()
        * (2.0 * Planner.blocksOfConfirmation(experiment) + 2.0 * Rules.DEFAULT.firstBlocks());
  }

  /** Returns the blocks of a confirmation: windows, or trials, of its two settings. */
  public static int blocksOfConfirmation(Experiment experiment) {
    return Planner.blocksOfConfirmation(experiment);
  }

  /** Returns the shortest time to an answer, in seconds. */
  public static double leastSeconds(Experiment experiment) {
    return Costs.planned(experiment)
        .of(fewestTrials(experiment), sessions(experiment, experiment.loads().size()));
  }

  /**
   * The settings that were seen so far, up to a common factor of all domains' weights: of weights
   * and shares only ratios matter.
   */
  private static final class Ratios {
    private final Map<String, SchedulerParameters> found;
    private final Map<Object, String> seen = new HashMap<>();

    /**
     * @param found the settings of all domains; empty if unknown, then nothing is compared
     */
    Ratios(Map<String, SchedulerParameters> found) {
      this.found = Map.copyOf(found);
    }

    /** Returns the candidate that already has these settings; otherwise they become this one's. */
    Optional<String> earlier(String name, Map<String, SchedulerParameters> settings) {
      return found.isEmpty()
          ? Optional.empty()
          : Optional.ofNullable(seen.putIfAbsent(key(settings), name));
    }

    private Object key(Map<String, SchedulerParameters> settings) {
      Map<String, SchedulerParameters> all = new TreeMap<>(found);
      all.putAll(settings);
      Map<String, List<OptionalDouble>> weights = new TreeMap<>();
      Set<String> others = new HashSet<>();
      all.forEach(
          (domain, parameters) -> {
            int vcpu = 0;
            for (SchedulerParameters one : parameters.each()) {
              for (Parameter<?> parameter : one.scheduler().parameters()) {
                if (parameter.measure() == Parameter.Measure.RATIO) {
                  weights
                      .computeIfAbsent(
                          one.scheduler().xenName() + " " + parameter.key(),
                          any -> new ArrayList<>())
                      .add(one.optionalNumber(parameter));
                } else {
                  others.add(
                      "%s %d %s %s".formatted(domain, vcpu, parameter.key(), one.get(parameter)));
                }
              }
              vcpu++;
            }
          });
      return List.of(all.keySet(), reduced(weights), others);
    }

    private static Map<String, List<String>> reduced(Map<String, List<OptionalDouble>> weights) {
      Map<String, List<String>> reduced = new TreeMap<>();
      weights.forEach(
          (key, values) -> {
            boolean known = values.stream().allMatch(OptionalDouble::isPresent);
            long factor =
                known
                    ? values.stream()
                        .map(value -> BigInteger.valueOf(Math.round(value.getAsDouble())))
                        .reduce(BigInteger.ZERO, BigInteger::gcd)
                        .max(BigInteger.ONE)
                        .longValueExact()
                    : 1;
            reduced.put(
                key,
                values.stream()
                    .map(
                        value ->
                            value.isPresent()
                                ? String.valueOf(Math.round(value.getAsDouble()) / factor)
                                : "default")
                    .toList());
          });
      return reduced;
    }
  }
}
