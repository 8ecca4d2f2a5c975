package io.slicewise.cli.compare;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.LoadFilter;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparison.Kind;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.ControlCheck;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.MeasuredRun.MeasuredCell;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.SessionEvidence;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.facts.Attempts;
import io.slicewise.evidence.runs.AcrossRuns;
import io.slicewise.evidence.runs.Boots;
import io.slicewise.evidence.runs.Cause;
import io.slicewise.evidence.runs.Causes;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.evidence.runs.Guards;
import io.slicewise.evidence.runs.UnitTime;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.Origin;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Band;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The question that a comparison answers.
 *
 * @param profiles asked for; empty = all
 * @param loads asked for
 * @param metric the primary one; empty = the one suited to the results
 * @param guarded nothing = what the experiment guards itself
 * @param accept whether runs that measured under different conditions are compared all the same
 */
public record ComparisonQuestion(
    List<String> profiles,
    LoadFilter loads,
    Optional<Metric> metric,
    double band,
    Guards guarded,
    boolean accept) {
  /** All profiles and loads, the suited metric, a band of 2 % and the experiment's own guards. */
  public static final ComparisonQuestion STANDARD =
      new Asked(List.of(), Optional.empty(), 0.02).question();

  /** What nightly asks of every comparison. */
  record Asked(List<String> profiles, Optional<Metric> metric, double band) {
    ComparisonQuestion question() {
      return new ComparisonQuestion(profiles, new LoadFilter(), metric, band, Guards.NONE, false);
    }
  }

  public ComparisonQuestion {
    if (metric.equals(Optional.of(Metric.ERRORS))) {
      throw SlicewiseException.input(
          "errors have no ratio: a run without errors would be divided by zero",
          "use throughput, mean, p50, p95 or p99");
    }
    if (!(band > 0 && band < 1)) {
      throw SlicewiseException.input(
          "a band of %s %% decides nothing".formatted(100 * band), "use for example --band 2%");
    }
  }

  /** Compares the profiles of a run with one of them. */
  public Compared within(RunEvidence evidence, String to) {
    LoadedRun run = evidence.run();
    Experiment experiment = run.experiment();
    String base = to.equals("baseline") ? experiment.baseline() : to;
    known(experiment, Stream.concat(Stream.of(base), profiles.stream()).toList());
    List<TrialResult> results = run.results();
    Question question =
        question(metric.orElseGet(() -> Question.of(experiment, results).primary()));
    List<String> names =
        names(experiment).stream()
            .filter(name -> profiles.isEmpty() || name.equals(base) || profiles.contains(name))
            .toList();
    List<Load> asked = known(experiment.loads());
    ControlCheck control =
        ControlCheck.of(Comparisons.of(experiment, results, question), question.primary());
    Experiment narrowed = experiment.narrowedTo(base, names, asked);
    List<Comparison> comparisons =
        evidence.comparisons(narrowed, question).stream()
            .filter(comparison -> comparison.kind() != Comparison.Kind.CONTROL)
            .toList();
    List<String> missing =
        asked.stream()
            .flatMap(
                load ->
                    names.stream()
                        .filter(
                            name -> !name.equals(base) && !Comparisons.isControl(narrowed, name))
                        .filter(name -> lacks(comparisons, name, load))
                        .map(name -> cell(name, load)))
            .toList();
    return new Compared(
        new Compared.Names(experiment.name(), base, run.name()),
        question,
        guards(experiment).changes(),
        new Compared.Rows(
            comparisons,
            guards(experiment)
                .errors()
                .map(guard -> guard.within(narrowed, results))
                .orElse(List.of()),
            missing),
        control,
        new ControlCheck(List.of(), List.of()),
        Causes.of(Cause.of(narrowed, results), results, run.environment()),
        withinWarnings(narrowed, run),
        UnitTime.of(experiment));
  }

  /** Compares each profile of a run with the same profile of another. */
  Compared across(RunEvidence before, RunEvidence now) {
    LoadedRun earlier = before.run();
    return across(
        before.measured(),
        earlier.name(),
        damages(earlier),
        now,
        causes(earlier.results(), now.run()));
  }

  /** Compares a run with a stored baseline. */
  Compared across(MeasuredRun before, String name, RunEvidence now) {
    return across(before, name, List.of(), now, Causes.NONE);
  }

  private Causes causes(List<TrialResult> before, LoadedRun now) {
    List<Cause> changes =
        Cause.across(now.experiment(), now.results(), before).stream()
            .filter(cause -> profiles.isEmpty() || profiles.contains(cause.profile()))
            .filter(cause -> loads.takes(cause.load()))
            .toList();
    return Causes.of(changes, now.results(), now.environment());
  }

  private static List<String> damages(LoadedRun run) {
    return run.sentences().stream()
        .map(sentence -> "%s is damaged: %s".formatted(run.name(), sentence))
        .toList();
  }

  private Compared across(
      MeasuredRun before, String name, List<String> damages, RunEvidence evidence, Causes causes) {
    LoadedRun run = evidence.run();
    MeasuredRun now = evidence.measured();
    refuseOtherConditions(before, name, now);
    Experiment experiment = run.experiment();
    known(experiment, profiles);
    Metric primary = metric.orElseGet(() -> suited(experiment, before, now));
    known(experiment.loads());
    MeasuredRun asked = asked(now);
    List<Comparison> comparisons = AcrossRuns.of(before, asked, question(primary));
    return new Compared(
        new Compared.Names(experiment.name(), name, run.name()),
        question(primary),
        guards(experiment).changes(),
        new Compared.Rows(
            comparisons,
            guards(experiment).errors().map(guard -> guard.across(before, asked)).orElse(List.of()),
            asked.cells().stream()
                .filter(cell -> !cell.control() && before.has(cell.profile(), cell.load()))
                .filter(cell -> lacks(comparisons, cell.profile(), cell.load()))
                .map(cell -> cell(cell.profile(), cell.load()))
                .toList()),
        now.control(),
        before.control(),
        causes,
        Stream.of(
                damages,
                damages(run),
                Stream.of(
                        replacement(experiment, primary, before, name),
                        replacement(experiment, primary, now, now.name()))
                    .flatMap(Optional::stream)
                    .toList(),
                new RunDifferences(asked(before), name, asked, comparisons).warnings())
            .flatMap(List::stream)
            .toList(),
        UnitTime.of(experiment));
  }

  /** Returns the metric that decides between two runs, which both must know. */
  private static Metric suited(Experiment experiment, MeasuredRun before, MeasuredRun now) {
    Predicate<Metric> known = metric -> before.knows(metric) && now.knows(metric);
    Metric usual = known.test(Metric.P95) ? Metric.P95 : Metric.MEAN;
    return Question.decisive(
        experiment, usual, known, () -> before.known(usual) > 0 && now.known(usual) > 0);
  }

  /** Returns why another metric decides than that of the goal, if that is because of a run. */
  private Optional<String> replacement(
      Experiment experiment, Metric primary, MeasuredRun run, String name) {
    return experiment
        .aim()
        .goal()
        .map(goal -> Metric.of(goal))
        .filter(goal -> metric.isEmpty() && !goal.equals(primary) && !run.knows(goal))
        .map(
            goal ->
                "decided by %s: in %s, the goal's %s"
                    .formatted(
                        primary,
                        name,
                        Question.unknown(goal, experiment, run.known(goal), run.trials())));
  }

  /** Returns whether the cell has no comparison in the primary metric. */
  private static boolean lacks(List<Comparison> comparisons, String profile, Load load) {
    return comparisons.stream()
        .filter(one -> one.kind() == Comparison.Kind.PRIMARY)
        .noneMatch(one -> one.profile().equals(profile) && one.load().equals(load));
  }

  private static String cell(String profile, Load load) {
    return profile + " at " + load.text();
  }

  private void refuseOtherConditions(MeasuredRun before, String name, MeasuredRun now) {
    List<String> differences = new ArrayList<>(before.conditions().differences(now.conditions()));
    if (before.place().origin().kind() != now.place().origin().kind()) {
      differences.add(
          0,
          "origin "
              + before.place().origin().kind().word()
              + " / "
              + now.place().origin().kind().word());
    }
    if (!differences.isEmpty() && !accept) {
      throw SlicewiseException.input(
          "%s and %s measured different things: %s"
              .formatted(name, now.name(), String.join("; ", differences)),
          "use --accept-differences to compare them anyway");
    }
  }

  private MeasuredRun asked(MeasuredRun run) {
    List<MeasuredCell> cells =
        run.cells().stream()
            .filter(cell -> profiles.isEmpty() || profiles.contains(cell.profile()))
            .filter(cell -> loads.takes(cell.load()))
            .toList();
    return run.with(cells);
  }

  private Guards guards(Experiment experiment) {
    return guarded.isEmpty() ? Guards.of(experiment) : guarded;
  }

  private Question question(Metric primary) {
    return new Question(primary, new Band(band));
  }

  private List<String> withinWarnings(Experiment experiment, LoadedRun run) {
    List<TrialResult> results = run.results();
    List<String> warnings = new ArrayList<>(damages(run));
    if (metric.isEmpty()) {
      Question.replacement(run.experiment(), results).ifPresent(warnings::add);
    }
    if (run.origin().kind() != Origin.Kind.HOST) {
      warnings.add(run.origin().sentence());
    }
    if (!experiment.order().equals(Order.BLOCKS)) {
      warnings.add(
          "order as written: drift of the host cannot be distinguished from a difference between"
              + " profiles");
    }
    if (!run.origin().isSimulated()) {
      Boots.sentence(results, names(experiment)).ifPresent(warnings::add);
    }
    SessionEvidence.of(experiment, results)
        .ifPresent(evidence -> warnings.addAll(evidence.washOutWarnings()));
    Attempts trials = new Attempts(results);
    int planned = MeasuredRun.planned(run);
    if (trials.trials() < planned) {
      warnings.add(trials.trials() + " of " + planned + " trials have finished so far");
    }
    if (trials.excluded() > 0) {
      warnings.add(
          "%s of %s trials excluded; the report lists the reasons"
              .formatted(trials.excluded(), trials.trials()));
    }
    return warnings;
  }

  private static List<String> names(Experiment experiment) {
    return experiment.profiles().stream().map(SchedulerProfile::name).toList();
  }

  /** Returns the selected loads of the run. */
  private List<Load> known(List<Load> has) {
    List<Load> asked = has.stream().filter(loads::takes).toList();
    if (asked.isEmpty()) {
      throw SlicewiseException.input(
          "the run has no such load",
          "it has " + has.stream().map(Load::text).collect(Collectors.joining(", ")));
    }
    return asked;
  }

  private static void known(Experiment experiment, List<String> names) {
    List<String> has = names(experiment);
    for (String name : names) {
      if (!has.contains(name)) {
        throw SlicewiseException.input(
            "the run has no profile " + name, "it has " + String.join(", ", has));
      }
    }
  }

  /** Warnings about what limits a comparison of two runs. */
  private record RunDifferences(
      MeasuredRun before, String name, MeasuredRun now, List<Comparison> comparisons) {
    private static final double LEVEL = 0.05;

    List<String> warnings() {
      List<String> warnings = new ArrayList<>();
      List<String> conditions = before.conditions().differences(now.conditions());
      if (!conditions.isEmpty()) {
        warnings.add("the runs measured different things: " + String.join("; ", conditions));
      }
      List<String> unknown = before.conditions().unknown(now.conditions());
      if (!unknown.isEmpty()) {
        warnings.add(
            ("these options of the workload are unknown for one run: %s, so it cannot be"
                    + " checked that they are the same")
                .formatted(String.join(", ", unknown)));
      }
      if (before.place().host().isPresent() && now.place().host().isPresent()) {
        List<String> hosts = before.place().host().get().differences(now.place().host().get());
        if (!hosts.isEmpty()) {
          warnings.add(
              "not the same host: " + String.join("; ", hosts) + "; that may cause a change below");
        }
      } else {
        warnings.add(
            "the host of one run is unknown, so it cannot be checked that both are the same");
      }
      if (now.place().origin().kind() != Origin.Kind.HOST) {
        warnings.add(now.place().origin().sentence());
      }
      warnings.addAll(settings());
      warnings.addAll(chosen());
      alone(before, name, now).ifPresent(warnings::add);
      alone(now, now.name(), before).ifPresent(warnings::add);
      unfinished(before, name).ifPresent(warnings::add);
      unfinished(now, now.name()).ifPresent(warnings::add);
      excluded(before, name).ifPresent(warnings::add);
      excluded(now, now.name()).ifPresent(warnings::add);
      disagreeing(warnings);
      warnings.add(
          "two runs share no block: differences between nights are part of the change but not of its"
              + " interval; slicewise history separates them");
      return warnings;
    }

    /** Returns a warning for selected cells that only one of the runs has. */
    private static Optional<String> alone(MeasuredRun run, String its, MeasuredRun other) {
      List<String> cells =
          run.cells().stream()
              .filter(cell -> !cell.control() && !other.has(cell.profile(), cell.load()))
              .map(cell -> cell.profile() + " at " + cell.load().text())
              .toList();
      return cells.isEmpty()
          ? Optional.empty()
          : Optional.of("only in " + its + ", not compared: " + String.join(", ", cells));
    }

    private static Optional<String> unfinished(MeasuredRun run, String its) {
      return run.counts().finished() < run.counts().planned()
          ? Optional.of(
              "%d of %d trials of %s have finished so far"
                  .formatted(run.counts().finished(), run.counts().planned(), its))
          : Optional.empty();
    }

    private static Optional<String> excluded(MeasuredRun run, String its) {
      return run.counts().excluded() == 0
          ? Optional.empty()
          : Optional.of(
              "%d of %d trials of %s are excluded"
                  .formatted(run.counts().excluded(), run.counts().finished(), its));
    }

    /** Returns a warning for profiles of the same name with different settings. */
    private Set<String> settings() {
      Set<String> warnings = new TreeSet<>();
      for (MeasuredCell cell : now.cells()) {
        before
            .cell(cell.profile(), cell.load())
            .filter(other -> !other.settings().equals(cell.settings()))
            .ifPresent(
                other ->
                    warnings.add(
                        "profile %s sets something else in %s: %s / %s"
                            .formatted(cell.profile(), name, other.settings(), cell.settings())));
      }
      return warnings;
    }

    /** Returns a warning for each cell that only one of the runs measured to confirm it. */
    private List<String> chosen() {
      return now.cells().stream()
          .filter(
              cell ->
                  before
                      .cell(cell.profile(), cell.load())
                      .filter(other -> other.confirmation() != cell.confirmation())
                      .isPresent())
          .map(
              cell ->
                  "%s at %s: only the values of %s are of a confirmation; others of a tune also"
                          .formatted(
                              cell.profile(),
                              cell.load().text(),
                              cell.confirmation() ? now.name() : name)
                      + " chose between candidates")
          .toList();
    }

    private void disagreeing(List<String> warnings) {
      comparisons.stream()
          .filter(c -> c.kind() == Kind.PRIMARY)
          .filter(c -> c.verdict().isChange())
          .filter(c -> c.tests().rankP() > LEVEL)
          .map(
              c ->
                  "%s at %s: the rank test disagrees; check the individual trials"
                      .formatted(c.profile(), c.load().text()))
          .forEach(warnings::add);
    }
  }
}
