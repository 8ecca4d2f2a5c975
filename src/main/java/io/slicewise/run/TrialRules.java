package io.slicewise.run;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.StudyKind;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.host.monitor.ChangeWatch;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.load.generator.GeneratorOutput.ClockOffset;
import io.slicewise.profile.Role;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.LoadResults;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement;
import io.slicewise.run.validity.Physics;
import io.slicewise.run.validity.TrialFacts;
import io.slicewise.workload.Workload;
import io.slicewise.workload.tiles.Tile;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Judges a trial by the rules of validity, when it is measured and later. */
public final class TrialRules {
  private TrialRules() {}

  /** Returns every rule that the trial breaks under the experiment's limits. */
  public static Judgement judge(Experiment experiment, TrialResult result) {
    TrialFacts facts =
        new TrialFacts(
            result.load().isPresent() && !experiment.isOpen()
                ? experiment.population(result.trial().load())
                : 0,
            result.warmUp().length(),
            result.window(),
            result.load().map(load -> load(experiment, load, result.window())),
            new TrialFacts.Host(
                result.monitor(),
                result.host().pcpus(),
                result.load().isPresent()
                    ? experiment.workload().tiles().isEmpty()
                        ? Set.copyOf(experiment.domains().getOrDefault(Role.MAIN, List.of()))
                        : Set.copyOf(experiment.loaded(result.trial().load()))
                    : Set.of()),
            new TrialFacts.Generators(health(result), parts(result)),
            new TrialFacts.Settings(
                result.host().applied(), result.host().applied(), result.host().after()),
            conduct(experiment, result),
            new TrialFacts.ThisMachine(
                result.host().labLatenessMillis(), result.host().otherWorkShare()));
    return Physics.judge(
        facts,
        tiles(experiment, result, facts),
        experiment.workload().loads() ? experiment.limits() : experiment.limits().ofOthers());
  }

  /** Each tile is judged by its own users or arrivals, generator and results. */
  private static Map<String, TrialFacts> tiles(
      Experiment experiment, TrialResult result, TrialFacts whole) {
    Map<String, TrialFacts> tiles = new LinkedHashMap<>();
    if (!experiment.workload().isTiled() || result.load().isEmpty()) {
      return tiles;
    }
    for (Tile tile : experiment.tiles(result.trial().load())) {
      Optional<LoadResult> its =
          result.load().get().labels().stream()
              .filter(label -> label.label().equals(tile.name()))
              .findFirst();
      Map<String, GeneratorHealth> own = new LinkedHashMap<>(whole.generators().health());
      own.keySet().retainAll(Set.of(tile.name()));
      boolean open = tile.rate().isPresent();
      tiles.put(
          tile.name(),
          new TrialFacts(
              open ? 0 : experiment.users(tile),
              whole.warmUp(),
              whole.window(),
              its.map(
                  load ->
                      new TrialFacts.Load(
                          load.samples(),
                          load.failed(),
                          load.throughput(),
                          cycle(open, tile.properties(), load, result.window()),
                          LoadResults.wholeSeconds(load.series(), result.window()))),
              new TrialFacts.Host(
                  whole.host().monitor(), whole.host().pcpus(), Set.copyOf(tile.guests())),
              new TrialFacts.Generators(own, Map.of()),
              whole.settings(),
              whole
                  .conduct()
                  .and(
                      its
                          .filter(load -> isDecidedByTiles(experiment))
                          .flatMap(load -> goalFault(tile, load))
                          .stream()
                          .toList()),
              whole.machine()));
    }
    return tiles;
  }

  /** The windows of a session are pooled, where they are not compared one by one. */
  private static boolean isDecidedByTiles(Experiment experiment) {
    if (experiment.design().isPresent()
        && experiment.pairs().isEmpty()
        && experiment.tuning().isEmpty()) {
      return false;
    }
    return experiment.order().study().filter(StudyKind::needsGoals).isPresent()
        || experiment
            .aim()
            .goal()
            .filter(goal -> OutcomeMetric.isWorstTile(goal.metric()))
            .isPresent();
  }

  /** Returns why it is not known how near to its limit a tile is; empty if it is known. */
  private static Optional<String> goalFault(Tile tile, LoadResult load) {
    return Aim.Goal.of(tile)
        .filter(goal -> load.samples() > 0 && Double.isNaN(load.value(goal.metric())))
        .map(
            goal ->
                "%d samples are too few for its goal '%s', which needs %d: measure longer, or load it more"
                    .formatted(load.samples(), tile.goal().get(), goal.samples()));
  }

  /** A single generator on this machine is the whole load. */
  private static Map<String, TrialFacts.Part> parts(TrialResult result) {
    Map<String, TrialFacts.Part> parts = new LinkedHashMap<>();
    result.loaded().generators().stream()
        .filter(one -> one.users() > 0)
        .forEach(
            one ->
                parts.put(
                    one.name(),
                    new TrialFacts.Part(
                        new ClockOffset(
                            millis(one.clockOffsetMillis()),
                            millis(one.clockBoundMillis()),
                            millis(one.clockDriftMillis())),
                        one.users(),
                        one.requests(),
                        one.p50Millis())));
    return parts;
  }

  private static Duration millis(double millis) {
    return Duration.ofNanos(Math.round(millis * 1e6));
  }

  private static Map<String, GeneratorHealth> health(TrialResult result) {
    Map<String, GeneratorHealth> health = new LinkedHashMap<>();
    result.loaded().generators().forEach(one -> health.put(one.name(), one.health()));
    return health;
  }

  /**
   * The conduct of a trial; only a trial that ran here, so applied its profile, had a planned
   * window.
   */
  private static TrialFacts.Conduct conduct(Experiment experiment, TrialResult result) {
    boolean runHere = result.times().stepSeconds().containsKey(SweepListener.Step.APPLY.text());
    Set<String> studied = experiment.targets();
    return new TrialFacts.Conduct(
        runHere && !experiment.measuresWork() && result.times().cut().isEmpty()
            ? experiment.measure(result.trial())
            : Duration.ZERO,
        changes(experiment, result, studied),
        result.host().surroundings().map(host -> host.disturbances(studied)).orElse(List.of()),
        result.machines(),
        runHere ? experiment.watching().needed() : List.of(),
        runHere && experiment.measuresWork()
            ? Optional.of(work(experiment, result))
            : Optional.empty(),
        result.loaded().faults(),
        experiment.unloaded(result.trial().load()));
  }

  /** What differed before and after the load, and what happened to guests in between. */
  private static List<String> changes(
      Experiment experiment, TrialResult result, Set<String> studied) {
    Set<String> moved =
        experiment.profiles().stream()
            .filter(profile -> profile.name().equals(result.trial().profile()))
            .flatMap(profile -> profile.moved().stream())
            .collect(Collectors.toSet());
    Set<String> guests =
        experiment.domains().entrySet().stream()
            .filter(role -> role.getKey() != Role.DOM0)
            .flatMap(role -> role.getValue().stream())
            .filter(guest -> !moved.contains(guest))
            .collect(Collectors.toSet());
    Optional<String> pool = experiment.host().flatMap(HostSpec::cpupool);
    Stream<String> between =
        result.host().surroundings().stream()
            .flatMap(
                host ->
                    Stream.concat(
                        host.changes(studied, experiment.pinned()).stream(),
                        pool.stream().flatMap(name -> host.misplaced(guests, name).stream())));
    Stream<String> meanwhile =
        result.observed(ChangeWatch.TOPIC).stream()
            .flatMap(seen -> seen.sightings().stream())
            .filter(seen -> studied.contains(seen.place().name()))
            .map(seen -> seen.place().name() + ": " + seen.note());
    return Stream.concat(between, meanwhile).toList();
  }

  private static TrialFacts.Work work(Experiment experiment, TrialResult result) {
    double blocks =
        result.measures().stream()
            .filter(measure -> Workload.BLOCKS_READ.contains(measure.name()))
            .mapToDouble(Measure::value)
            .reduce(Double::sum)
            .orElse(Double.NaN);
    return new TrialFacts.Work(
        experiment.measure(),
        experiment.workload().optionWords().getOrDefault("state", ""),
        experiment.domains().getOrDefault(Role.MAIN, List.of("")).get(0),
        result.load().map(LoadResult::samples).orElse(0L),
        blocks * Workload.BLOCK_BYTES);
  }

  private static TrialFacts.Load load(Experiment experiment, LoadResult load, Window window) {
    return new TrialFacts.Load(
        load.samples(),
        load.failed(),
        load.throughput(),
        experiment.measuresWork()
            ? new TrialFacts.Cycle(load.throughput(), load.meanMillis(), Double.NaN)
            : cycle(
                experiment.workload().isOpen(), experiment.workload().properties(), load, window),
        experiment.measuresWork() || !experiment.workload().loads()
            ? List.of()
            : LoadResults.wholeSeconds(load.series(), window));
  }

  /** The cycle of all requests and their measured pauses, if known. */
  private static TrialFacts.Cycle cycle(
      boolean open, Map<String, String> properties, LoadResult load, Window window) {
    double thinkMillis = open ? Double.NaN : thinkMillis(properties);
    return load.turns()
        .map(
            turns ->
                new TrialFacts.Cycle(
                    turns.requests() / window.seconds(),
                    turns.meanMillis(),
                    open ? Double.NaN : turns.pauseMillis()))
        .orElse(new TrialFacts.Cycle(load.throughput(), load.meanMillis(), thinkMillis));
  }

  /** The plan's think time; Little's law does not apply to an open load, which has none. */
  private static double thinkMillis(Map<String, String> properties) {
    try {
      return Double.parseDouble(properties.getOrDefault("think-time", "0"));
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
