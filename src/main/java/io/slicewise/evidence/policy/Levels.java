package io.slicewise.evidence.policy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.DomainSummary;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.Holm;
import io.slicewise.stats.Verdict;
import io.slicewise.stats.power.Resolution;
import io.slicewise.sweep.policy.LoadMetric;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * The loads of some runs as levels of a load metric, each with the profiles that may be used there:
 * those that no other profile is shown to beat. Every two profiles are compared at every load, and
 * Holm's family is all of these comparisons of all runs, so that runs of equal settings show a
 * difference in at most 5 % of policies.
 */
final class Levels {
  private static final double POWER = 0.8;

  private final LoadMetric metric;
  private final Band matters;
  private final List<Level> levels = new ArrayList<>();

  /** A difference between two profiles at a level. */
  private record Duel(Level level, Comparison row, String other) {}

  /**
   * Profiles at one load of one run.
   *
   * @param low the lowest of the profiles' loads in the metric; {@code high} the highest
   * @param gains percent against the baseline by profile
   * @param allowed profiles that break no guard, among them the baseline
   * @param open the allowed profiles that no other allowed one is shown to beat
   */
  record Level(
      String run,
      Load load,
      double low,
      double high,
      String baseline,
      Map<String, Comparison> gains,
      Set<String> allowed,
      Set<String> open) {
    String text() {
      return load.text() + " of " + run;
    }
  }

  private Levels(LoadMetric metric, Band matters) {
    this.metric = metric;
    this.matters = matters;
  }

  /**
   * Returns the levels of runs, by their loads in the metric.
   *
   * @throws SlicewiseException if the metric was not measured
   */
  static List<Level> of(List<RunEvidence> runs, LoadMetric metric, Band matters) {
    Levels found = new Levels(metric, matters);
    found.judge(found.duels(runs));
    return found.levels.stream().sorted(Comparator.comparingDouble(Level::low)).toList();
  }

  private List<Duel> duels(List<RunEvidence> runs) {
    return runs.stream().flatMap(run -> add(run).stream()).toList();
  }

  /**
   * Returns the change in percent that would have been found at each level with a probability of 80
   * %, whichever two profiles differed by it, by the scatter that was measured; {@code NaN} if
   * none.
   */
  static Map<String, Double> findable(List<RunEvidence> runs, LoadMetric metric, Band matters) {
    Levels found = new Levels(metric, matters);
    List<Duel> duels = found.duels(runs);
    Map<String, Double> changes = new LinkedHashMap<>();
    for (Duel duel : duels) {
      Effect effect = duel.row.means().effect();
      double shown =
          Math.max(
              matters.high() + effect.halfWidth(0.95), effect.halfWidth(1 - 0.05 / duels.size()));
      double change = 100 * Math.expm1(shown + effect.halfWidth(2 * POWER - 1));
      changes.merge(
          duel.level.text(), Resolution.isTooLarge(change) ? Double.NaN : change, Math::max);
    }
    return changes;
  }

  private List<Duel> add(RunEvidence run) {
    Experiment experiment = run.experiment();
    Question question = new Question(run.facts().question().primary(), matters);
    SweepSummary summary = Summaries.summarise(experiment, run.results(), List.of());
    List<Comparison> baseline = primary(run.facts().comparisons());
    List<Duel> duels = new ArrayList<>();
    for (Load load : experiment.askedLoads()) {
      List<CellSummary> cells =
          summary.cells().stream()
              .filter(cell -> cell.load().equals(load) && cell.n() > 0)
              .toList();
      Map<String, Comparison> gains = new LinkedHashMap<>();
      baseline.stream()
          .filter(row -> row.load().equals(load))
          .forEach(row -> gains.put(row.profile(), row));
      if (!cells.isEmpty()) {
        refuseFewReadings(run, load);
        Level level = level(run, load, cells, gains);
        levels.add(level);
        gains.values().forEach(row -> duels.add(new Duel(level, row, experiment.baseline())));
      }
    }
    duels.addAll(amongOthers(run, question));
    return duels;
  }

  private Level level(
      RunEvidence run, Load load, List<CellSummary> cells, Map<String, Comparison> gains) {
    List<Double> loads = cells.stream().map(cell -> value(run, cell)).toList();
    Set<String> allowed = new LinkedHashSet<>(List.of(run.experiment().baseline()));
    gains.keySet().stream().filter(name -> !breaksGuard(run, load, name)).forEach(allowed::add);
    return new Level(
        run.run().name(),
        load,
        loads.stream().mapToDouble(x -> x).min().orElseThrow(),
        loads.stream().mapToDouble(x -> x).max().orElseThrow(),
        run.experiment().baseline(),
        gains,
        allowed,
        new LinkedHashSet<>(allowed));
  }

  private static boolean breaksGuard(RunEvidence run, Load load, String profile) {
    return Guard.of(run.experiment()).stream()
        .anyMatch(
            guard ->
                run.facts().comparisons().stream()
                    .filter(guard::concerns)
                    .filter(row -> row.load().equals(load) && row.profile().equals(profile))
                    .anyMatch(row -> guard.judge(row) == Guard.Outcome.BROKEN));
  }

  /** A request, or a second in which a monitor counts, is a reading of the load. */
  private void refuseFewReadings(RunEvidence run, Load load) {
    for (TrialResult result : run.results()) {
      long readings =
          metric.domain().isPresent()
              ? (long) result.window().seconds()
              : result.load().map(LoadResult::samples).orElse(0L);
      if (result.valid() && result.trial().load().equals(load) && readings < LoadMetric.FEWEST) {
        throw SlicewiseException.input(
            "%s of %s has a window with fewer than %d readings of the load: %s has %d"
                .formatted(
                    load.text(),
                    run.run().name(),
                    LoadMetric.FEWEST,
                    result.trial().slug(),
                    readings),
            "measure longer windows, or leave that load out");
      }
    }
  }

  private double value(RunEvidence run, CellSummary cell) {
    OptionalDouble mean =
        metric.domain().isPresent()
            ? share(cell, metric.domain().get())
            : Optional.ofNullable(cell.metrics().get(Metric.THROUGHPUT))
                .map(throughput -> OptionalDouble.of(throughput.mean()))
                .orElse(OptionalDouble.empty());
    return mean.orElseThrow(
        () ->
            SlicewiseException.input(
                "%s did not measure %s".formatted(run.run().name(), metric),
                "choose another load with --by: requests/s, or 'run share of DOMAIN' of "
                    + run.experiment().domains().values().stream()
                        .flatMap(List::stream)
                        .sorted()
                        .toList()));
  }

  private static OptionalDouble share(CellSummary cell, String domain) {
    return cell.domains().stream()
        .filter(one -> one.domain().equals(domain))
        .map(DomainSummary::run)
        .mapToDouble(Estimate::mean)
        .filter(Double::isFinite)
        .map(share -> 100 * share)
        .findFirst();
  }

  /** Compares every two profiles other than the baseline. */
  private List<Duel> amongOthers(RunEvidence run, Question question) {
    Experiment experiment = run.experiment();
    List<String> names =
        primary(run.facts().comparisons()).stream().map(Comparison::profile).distinct().toList();
    List<Duel> duels = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String first = names.get(i);
      List<String> later = names.subList(i, names.size());
      Experiment narrowed = experiment.narrowedTo(first, later, experiment.loads());
      for (Comparison row : primary(Comparisons.of(narrowed, run.results(), question))) {
        levels.stream()
            .filter(level -> level.run.equals(run.run().name()) && level.load.equals(row.load()))
            .forEach(level -> duels.add(new Duel(level, row, first)));
      }
    }
    return duels;
  }

  private static List<Comparison> primary(List<Comparison> all) {
    return all.stream().filter(row -> row.kind() == Comparison.Kind.PRIMARY).toList();
  }

  /**
   * Takes from each level the profiles that another one is shown to beat. One that breaks a guard
   * beats nothing: it cannot be used instead. Where each is beaten by another, none is the best.
   */
  private void judge(List<Duel> duels) {
    double[] adjusted =
        Holm.adjust(duels.stream().mapToDouble(duel -> duel.row.tests().p()).toArray());
    for (int i = 0; i < adjusted.length; i++) {
      Duel duel = duels.get(i);
      Effect effect = duel.row.means().effect();
      Verdict verdict =
          Double.isNaN(adjusted[i])
              ? Verdict.UNCLEAR
              : Verdict.of(effect, adjusted[i], 1, matters, duel.row.metric().moreIsBetter());
      Level level = duel.level;
      if (verdict == Verdict.BETTER && level.allowed.contains(duel.row.profile())) {
        level.open.remove(duel.other);
      } else if (verdict == Verdict.WORSE && level.allowed.contains(duel.other)) {
        level.open.remove(duel.row.profile());
      }
    }
    levels.stream()
        .filter(level -> level.open.isEmpty())
        .forEach(level -> level.open.addAll(level.allowed));
  }

  /** Returns why a run can be no part of a policy; empty if it can. */
  static Optional<String> fault(RunEvidence run, Answer answer) {
    Experiment experiment = run.experiment();
    if (experiment.pairs().isPresent()) {
      return Optional.of("a study of pairs has one load, that of its users");
    }
    if (answer.grade().isVoid()) {
      return Optional.of("its numbers are no evidence: " + answer.grade().words());
    }
    return experiment.profiles().size() < 2
        ? Optional.of("it has one profile, so nothing was compared")
        : Optional.empty();
  }
}
