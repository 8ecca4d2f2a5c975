package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/** The confirmations of a race: trials of the choice and the settings found, apart from it. */
final class Confirmations {
  private final Experiment experiment;
  private final Tuning tuning;
  private final List<Load> loads;
  private final GoalMetric metric;
  private final Guarding guards;
  private final List<UnitResults> raced;
  private final List<UnitResults> blocks;
  private final String found = SchedulerProfile.AS_FOUND.name();

  /**
   * @param raced the blocks of the race
   * @param blocks of all confirmations
   */
  Confirmations(
      Experiment experiment,
      List<Load> loads,
      GoalMetric metric,
      Guarding guards,
      List<UnitResults> raced,
      List<UnitResults> blocks) {
    this.experiment = experiment;
    this.tuning = experiment.tuning().orElseThrow();
    this.loads = loads;
    this.metric = metric;
    this.guards = guards;
    this.raced = raced;
    this.blocks = blocks;
  }

  /** Returns the number of confirmations that were started. */
  int started() {
    return blocks.size() / Planner.blocksOfConfirmation(experiment);
  }

  /** Returns the highest block number of confirmations. */
  int lastBlock() {
    return blocks.stream().mapToInt(UnitResults::block).max().orElse(0);
  }

  /** Returns whether the last trials of the race belong to a confirmation. */
  boolean endedRace() {
    int last = raced.stream().mapToInt(UnitResults::lastNumber).max().orElse(0);
    return blocks.stream().anyMatch(unit -> unit.lastNumber() > last);
  }

  /** Returns the last confirmation; empty with fewer than two blocks. */
  Optional<Confirmation> last() {
    return of(lastBlocks());
  }

  /** Returns the candidates that broke a guard in a confirmation of theirs, with the guard. */
  Map<String, String> broken() {
    Map<String, String> broken = new LinkedHashMap<>();
    all()
        .forEach(
            (name, one) ->
                one.broken().stream()
                    .findFirst()
                    .ifPresent(guard -> broken.put(name, guard + " in its confirmation")));
    return broken;
  }

  /** Returns the confirmation of each candidate that has one, from all its blocks. */
  Map<String, Confirmation> all() {
    Map<String, List<UnitResults>> byChoice = new LinkedHashMap<>();
    for (UnitResults unit : blocks) {
      choiceOf(unit)
          .ifPresent(one -> byChoice.computeIfAbsent(one, any -> new ArrayList<>()).add(unit));
    }
    Map<String, Confirmation> all = new LinkedHashMap<>();
    byChoice.forEach((name, units) -> of(units).ifPresent(one -> all.put(name, one)));
    return all;
  }

  private Optional<Confirmation> of(List<UnitResults> last) {
    Optional<String> choice = last.stream().flatMap(unit -> choiceOf(unit).stream()).findFirst();
    if (choice.isEmpty()) {
      return Optional.empty();
    }
    List<Confirmation.Pair> pairs = pairs(last, choice.get(), metric);
    if (pairs.size() < 2) {
      return Optional.empty();
    }
    List<Double> errors =
        last.stream()
            .flatMap(unit -> unit.each(choice.get()).stream())
            .map(one -> one.value(Aim.ERRORS))
            .filter(Double::isFinite)
            .toList();
    return Optional.of(
        Confirmation.of(
            choice.get(),
            pairs,
            metric.lowerIsBetter(),
            tuning.confidence(),
            guards.broken(figure -> pairs(last, choice.get(), figure), errors),
            guards.unclear(figure -> pairs(last, choice.get(), figure), errors)));
  }

  /** Returns the candidate of the last confirmation. */
  Optional<String> choice() {
    return lastBlocks().stream().flatMap(unit -> choiceOf(unit).stream()).findFirst();
  }

  private Optional<String> choiceOf(UnitResults unit) {
    return unit.names().stream().filter(name -> !name.equals(found)).findFirst();
  }

  /** Returns the number of blocks that the last confirmation lacks, since one side is invalid. */
  int lacking() {
    List<UnitResults> last = lastBlocks();
    return choice().map(name -> last.size() - pairs(last, name, metric).size()).orElse(0);
  }

  /** Returns the number of blocks of the last confirmation. */
  int size() {
    return lastBlocks().size();
  }

  private List<Confirmation.Pair> pairs(List<UnitResults> units, String choice, GoalMetric figure) {
    List<Confirmation.Pair> pairs = new ArrayList<>();
    for (UnitResults unit : units) {
      OptionalDouble before = unit.value(found, figure);
      OptionalDouble after = unit.value(choice, figure);
      if (before.isPresent() && after.isPresent()) {
        pairs.add(new Confirmation.Pair(before.getAsDouble(), after.getAsDouble()));
      }
    }
    return pairs;
  }

  /** Returns the blocks of the last candidate confirmed after the last race block. */
  private List<UnitResults> lastBlocks() {
    if (blocks.isEmpty()) {
      return List.of();
    }
    UnitResults latest = blocks.get(blocks.size() - 1);
    int end = latest.lastNumber();
    int last =
        raced.stream()
            .mapToInt(UnitResults::lastNumber)
            .filter(number -> number < end)
            .max()
            .orElse(0);
    return blocks.stream()
        .filter(unit -> unit.lastNumber() > last)
        .filter(unit -> choiceOf(unit).equals(choiceOf(latest)))
        .toList();
  }

  /** Returns whether the limit of the goal is met at each load; empty if there is no limit. */
  List<LimitCheck> limits() {
    OptionalDouble limit = metric.limit();
    if (limit.isEmpty()) {
      return List.of();
    }
    String name = last().filter(Confirmation::confirmed).map(Confirmation::choice).orElse(found);
    List<UnitResults> units = lastBlocks().isEmpty() ? raced : lastBlocks();
    List<LimitCheck> checks = new ArrayList<>();
    for (Load load : loads) {
      double[] logs =
          units.stream()
              .mapToDouble(unit -> Math.log(unit.figure(name, load, metric)))
              .filter(Double::isFinite)
              .toArray();
      if (logs.length > 1) {
        Estimate level = StudentInterval.of(tuning.confidence(), logs);
        checks.add(
            new LimitCheck(
                name,
                load,
                Math.exp(level.mean()),
                Math.exp(level.low()),
                Math.exp(level.high()),
                limit.getAsDouble(),
                metric.limitIsHighest()));
      }
    }
    return checks;
  }
}
