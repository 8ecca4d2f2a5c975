package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.stats.Correlation;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.Repetitions;
import io.slicewise.tune.Evidence.Block;
import io.slicewise.tune.Race;
import io.slicewise.tune.Race.Answer;
import io.slicewise.tune.Race.Departure;
import io.slicewise.tune.Rules;
import io.slicewise.tune.SwitchbackRace;
import io.slicewise.tune.TrialRace;
import io.slicewise.tune.course.CandidatePool.Candidate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * The race of one group of loads so far. The blocks of the history are added in order, so the same
 * history gives the same state. Candidate 0 is the settings found.
 */
public final class RaceCourse {
  /** The number of trials without a valid result after which a candidate leaves. */
  private static final int FRUITLESS = 3;

  private static final int LEAST_CORRELATED = 4;

  private final Experiment experiment;
  private final Tuning tuning;
  private final CandidatePool pool;
  private final List<Load> loads;
  private final List<String> entrants;
  private final List<UnitResults> units;
  private final List<Outcome> ours;
  private final Confirmations confirmations;
  private final GoalMetric metric;
  private final Rules rules;
  private final Race race;
  private final Guarding guards;
  private final List<String> names = new ArrayList<>();
  private final Set<String> excluded = new LinkedHashSet<>();
  private final Map<Integer, Integer> sessions = new HashMap<>();
  private final Map<String, Integer> fruitless = new HashMap<>();
  private final List<BlockState> path = new ArrayList<>();
  private final Set<Integer> decidedBefore = new LinkedHashSet<>();

  /**
   * The race after one of its blocks.
   *
   * @param racing the number of candidates left
   * @param best name of the leader
   * @param probability lower bound of the probability that it is good enough
   */
  public record BlockState(int block, int racing, String best, double probability) {}

  /** A candidate that left, with the block after which it left and the reason. */
  public record Left(String name, int block, String reason) {}

  /**
   * The effect of a candidate relative to the settings found, from the race.
   *
   * @param change relative change of the metric, in its own direction
   * @param standardError of the log ratio
   */
  public record Effect(String name, int observations, double change, double standardError) {}

  /** The blocks of a candidate and the settings found that would decide between them. */
  public record Needed(String name, int blocks) {}

  RaceCourse(
      Experiment experiment,
      CandidatePool pool,
      List<Load> loads,
      List<String> entrants,
      List<Outcome> history) {
    this.entrants = List.copyOf(entrants);
    this.experiment = experiment;
    this.tuning = experiment.tuning().orElseThrow();
    this.pool = pool;
    this.loads = List.copyOf(loads);
    this.ours = history.stream().filter(one -> loads.contains(one.trial().load())).toList();
    this.units = UnitResults.of(ours, Purpose.RACE);
    this.metric = new GoalMetric(experiment);
    Rules any = Rules.DEFAULT.claiming(tuning.within(), tuning.confidence());
    this.rules = metric.lowerIsBetter() ? any.lowest() : any;
    boolean switched = experiment.design().isPresent();
    this.race =
        switched ? new SwitchbackRace(rules, 1, 0) : new TrialRace(rules, 1, 0, experiment.seed());
    this.guards = new Guarding(experiment, switched);
    names.add(pool.candidates().get(0).name());
    this.confirmations =
        new Confirmations(
            experiment,
            this.loads,
            metric,
            guards,
            units,
            UnitResults.of(ours, Purpose.CONFIRMATION));
    units.stream().filter(unit -> unit.covers(loads)).forEach(this::take);
    if (confirmations.started() > 0) {
      setDoubtfulAside();
      confirmations.broken().forEach(this::exclude);
    }
  }

  /**
   * Excludes the candidates that break a guard more likely than not: the race keeps them, since
   * more blocks may clear them, but none of them is confirmed.
   */
  void setDoubtfulAside() {
    for (int candidate : race.survivors()) {
      guards.doubtfulFor(candidate).ifPresent(reason -> exclude(names.get(candidate), reason));
    }
  }

  /**
   * Returns the worst of these candidates, apart from the settings found: first one that breaks a
   * guard more likely than not, then by the goal.
   */
  Integer worst(List<Integer> candidates) {
    Comparator<Integer> order =
        Comparator.comparing((Integer one) -> guards.doubtfulFor(one).isEmpty())
            .thenComparing(one -> race.evidence().logRatio(one, 0));
    return candidates.stream().filter(one -> one > 0).min(order).orElseThrow();
  }

  private void exclude(String name, String reason) {
    if (excluded.add(name)) {
      race.exclude(names.indexOf(name), reason);
    }
  }

  private void take(UnitResults unit) {
    if (race.decided()) {
      decidedBefore.add(unit.block());
    }
    unit.names().stream().filter(name -> !names.contains(name)).forEach(this::enter);
    int session = sessions.computeIfAbsent(unit.session(), any -> sessions.size());
    List<Integer> candidates = new ArrayList<>();
    List<Double> values = new ArrayList<>();
    for (String name : unit.names()) {
      OptionalDouble value = unit.value(name, metric);
      if (value.isPresent()) {
        candidates.add(names.indexOf(name));
        values.add(value.getAsDouble());
      } else {
        fruitless.merge(name, 1, Integer::sum);
      }
    }
    race.add(new Block(session, candidates, values));
    guards.add(session, unit, names);
    excludeAfter(unit);
    path.add(
        new BlockState(
            unit.block(),
            race.survivors().size(),
            race.leader() < 0 ? "" : names.get(race.leader()),
            race.probability()));
  }

  private void enter(String name) {
    race.enter();
    guards.enter();
    names.add(name);
  }

  private void excludeAfter(UnitResults unit) {
    for (String name : unit.names()) {
      int candidate = names.indexOf(name);
      if (candidate > 0 && !excluded.contains(name)) {
        Optional<String> broken = guards.brokenBy(candidate);
        boolean none =
            race.evidence().observations(candidate) == 0
                && fruitless.getOrDefault(name, 0) >= FRUITLESS;
        if (broken.isPresent() || none) {
          exclude(name, broken.orElse("no valid result in %d %ss".formatted(FRUITLESS, unit())));
        }
      }
    }
  }

  Experiment experiment() {
    return experiment;
  }

  CandidatePool pool() {
    return pool;
  }

  /** Returns the names of the candidates that started the race. */
  List<String> entrants() {
    return entrants;
  }

  /**
   * Returns how often the response surface added candidates: blocks with newcomers that were never
   * simulated.
   */
  int refinements() {
    Set<String> seen = new LinkedHashSet<>(entrants);
    int rounds = 0;
    for (UnitResults unit : units) {
      boolean refined = false;
      for (String name : unit.names()) {
        refined |= seen.add(name) && decidedBefore.contains(unit.block());
      }
      rounds += refined ? 1 : 0;
    }
    return rounds;
  }

  /** Returns the names of the candidates added while the race was undecided. */
  public Set<String> widened() {
    Set<String> seen = new LinkedHashSet<>(entrants);
    Set<String> widened = new LinkedHashSet<>();
    for (UnitResults unit : units) {
      for (String name : unit.names()) {
        if (seen.add(name) && !decidedBefore.contains(unit.block())) {
          widened.add(name);
        }
      }
    }
    return widened;
  }

  Guarding guards() {
    return guards;
  }

  Rules rules() {
    return rules;
  }

  Race race() {
    return race;
  }

  /** Returns the blocks raced so far. */
  List<UnitResults> units() {
    return units;
  }

  /** Returns the loads that share this answer. */
  public List<Load> loads() {
    return loads;
  }

  public GoalMetric metric() {
    return metric;
  }

  /** Returns the distance to the best that is good enough. */
  public double within() {
    return tuning.within();
  }

  /** Returns the confidence of claims. */
  public double confidence() {
    return tuning.confidence();
  }

  /** Returns the names of all candidates that entered, by number. */
  public List<String> names() {
    return List.copyOf(names);
  }

  public List<String> survivors() {
    return race.survivors().stream().map(names::get).toList();
  }

  /** Returns the candidates that left, in order. */
  public List<Left> departures() {
    return race.departures().stream().map(this::left).toList();
  }

  private Left left(Departure one) {
    return new Left(names.get(one.candidate()), one.block(), one.reason());
  }

  /** Returns the race block by block. */
  public List<BlockState> path() {
    return List.copyOf(path);
  }

  public boolean decided() {
    return race.decided();
  }

  /** Returns whether the choice is shown to be within δ of the best. */
  public boolean knowsTheBest() {
    return path.size() >= rules.firstBlocks() && race.probability() >= rules.confidence();
  }

  /** Returns whether the settings found are shown to be within δ of the best. */
  public boolean keeps() {
    return path.size() >= rules.firstBlocks() && race.keeping() >= rules.confidence();
  }

  /**
   * Returns how many blocks of the closest candidate would show that it is better than the settings
   * found, or not better by more than δ, assuming the same effect and variance; empty if unknown.
   */
  public Optional<Needed> needed() {
    Optional<Confirmation> open = confirmation().filter(one -> one.broken().isEmpty());
    if (open.isPresent()) {
      Estimate effect = open.get().effect();
      return open.filter(one -> !one.better())
          .flatMap(
              one ->
                  needed(
                      one.choice(), rules.sign() * Math.log1p(effect.mean()), effect.deviation()));
    }
    return answer().set().stream()
        .filter(one -> one > 0)
        .findFirst()
        .flatMap(
            one ->
                needed(
                    names.get(one),
                    race.evidence().logRatio(one, 0),
                    race.evidence().standardError(one, 0)
                        * Math.sqrt(race.evidence().observations(one))));
  }

  private Optional<Needed> needed(String name, double gain, double deviation) {
    OptionalInt blocks =
        Repetitions.needed(deviation, Math.max(gain, rules.band() - gain), rules.confidence());
    return blocks.isPresent() ? Optional.of(new Needed(name, blocks.getAsInt())) : Optional.empty();
  }

  public Answer answer() {
    return race.answer();
  }

  /** Returns what this race measures: {@code trial} or {@code window}. */
  public String unit() {
    return experiment.unit();
  }

  /** Returns the name of the answer's choice; the settings found before anything was measured. */
  public String choice() {
    return names.get(Math.max(0, answer().choice()));
  }

  /** Returns whether the metric of no candidate could be measured in the first blocks. */
  boolean isFruitless() {
    return path.size() >= FRUITLESS && race.leader() < 0;
  }

  /** Returns whether any trial or window of the race is valid, with the metric or without it. */
  boolean hasResults() {
    return units.stream()
        .anyMatch(unit -> unit.names().stream().anyMatch(name -> !unit.each(name).isEmpty()));
  }

  /** Returns the effects of all measured candidates except the settings found. */
  public List<Effect> effects() {
    List<Effect> effects = new ArrayList<>();
    for (int i = 1; i < names.size(); i++) {
      double ratio = race.evidence().logRatio(i, 0);
      if (race.evidence().observations(i) > 0 && Double.isFinite(ratio)) {
        double natural = metric.lowerIsBetter() ? -ratio : ratio;
        effects.add(
            new Effect(
                names.get(i),
                race.evidence().observations(i),
                Math.expm1(natural),
                race.evidence().standardError(i, 0)));
      }
    }
    return effects;
  }

  /** Returns a candidate's simulated metric for these loads. */
  public OptionalDouble simulated(Candidate candidate) {
    if (candidate.simulated().isEmpty()) {
      return OptionalDouble.empty();
    }
    Map<Load, Double> byLoad = new HashMap<>();
    for (Load load : loads) {
      byLoad.put(load, candidate.simulated().get(experiment.loads().indexOf(load)));
    }
    return metric.of(byLoad);
  }

  /**
   * Returns the rank correlation between simulated and measured effects; empty with too few
   * candidates.
   */
  public Optional<Correlation> agreement() {
    List<double[]> pairs = new ArrayList<>();
    for (Effect effect : effects()) {
      pool.named(effect.name())
          .map(this::simulated)
          .filter(OptionalDouble::isPresent)
          .ifPresent(value -> pairs.add(new double[] {value.getAsDouble(), 1 + effect.change()}));
    }
    if (pairs.size() < LEAST_CORRELATED) {
      return Optional.empty();
    }
    return Optional.of(Correlation.of(ranks(pairs, 0), ranks(pairs, 1)));
  }

  private static double[] ranks(List<double[]> pairs, int side) {
    return pairs.stream()
        .mapToDouble(
            one ->
                pairs.stream()
                    .mapToDouble(
                        other -> other[side] < one[side] ? 1 : other[side] == one[side] ? 0.5 : 0)
                    .sum())
        .toArray();
  }

  /** Returns the last confirmation so far; empty with fewer than two blocks. */
  public Optional<Confirmation> confirmation() {
    return confirmations.last();
  }

  /**
   * Returns whether the goal's limit is met at each load by the choice, if it is confirmed,
   * otherwise by the settings found; empty if the goal has none.
   */
  public List<LimitCheck> limits() {
    return confirmations.limits();
  }

  /** Returns the number of trials or windows without a valid result, by candidate. */
  public Map<String, Integer> missing() {
    Map<String, Integer> missing = new TreeMap<>();
    ours.stream()
        .filter(one -> one.seconds() > 0 && one.result().isEmpty())
        .forEach(one -> missing.merge(one.name(), 1, Integer::sum));
    return missing;
  }

  /** Returns the confirmations of this race. */
  Confirmations confirmations() {
    return confirmations;
  }
}
