package io.slicewise.evidence.answer;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.evidence.facts.Knob;
import io.slicewise.evidence.findings.Recommendation;
import io.slicewise.evidence.findings.SplitLead;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Schedulers;
import io.slicewise.run.Environment;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.PlannedTrial.Purpose;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Verdict;
import io.slicewise.sweep.ProfileCommands;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.TuneCourse;
import io.slicewise.tune.course.TuneRuns;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What the answer of a run is made from, loaded and compared once.
 *
 * @param purposes of the trials, by number
 * @param facts comparisons with the baseline and the checks of the run
 * @param course of a tune; empty for other runs
 */
public record RunEvidence(
    LoadedRun run,
    Map<Integer, Purpose> purposes,
    Recommendation facts,
    Optional<TuneCourse> course) {
  public RunEvidence {
    purposes = Map.copyOf(purposes);
  }

  /** Compares what was measured. */
  public static RunEvidence of(LoadedRun run) {
    Experiment experiment = run.experiment();
    List<TrialResult> results = run.results();
    Map<Integer, Purpose> purposes =
        run.record().planned().values().stream()
            .collect(
                Collectors.toMap(
                    one -> one.trial().number(), PlannedTrial::purpose, (first, other) -> other));
    Recommendation facts =
        Recommendation.from(experiment, results, Question.of(experiment, results));
    Optional<TuneCourse> course = TuneRuns.course(run);
    RunEvidence all = new RunEvidence(run, purposes, facts, course);
    return course.isEmpty()
        ? all
        : new RunEvidence(
            run,
            purposes,
            facts
                .comparing(all.confirmed(experiment, facts.comparisons(), facts.question()))
                .choosing(Optional.empty()),
            course);
  }

  public Experiment experiment() {
    return run.experiment();
  }

  /** Returns the results of all trials, valid or not. */
  public List<TrialResult> results() {
    return run.results();
  }

  /**
   * Compares the profiles of a run with a baseline.
   *
   * @param narrowed the experiment with the profiles, loads and baseline that are asked for
   */
  public List<Comparison> comparisons(Experiment narrowed, Question question) {
    List<Comparison> all = Comparisons.of(narrowed, results(), question);
    return narrowed.baseline().equals(experiment().baseline())
        ? confirmed(narrowed, all, question)
        : all;
  }

  /**
   * Compares each choice of a tune by its confirmation alone, both its windows and those of the
   * baseline: the windows of the race chose it, so that they would make it look better than it is.
   * A confirmation has one question, so that it belongs to no family of comparisons: whether the
   * choice is better at all, so that a confirmed one is, although its interval reaches into the
   * band. Over several loads that is known of all together only.
   *
   * @param all comparisons of the experiment's profiles
   */
  private List<Comparison> confirmed(Experiment narrowed, List<Comparison> all, Question question) {
    List<Comparison> made = new ArrayList<>(all);
    for (Confirmed one : confirmed(narrowed)) {
      List<Load> loads = one.pair().loads();
      made.removeIf(row -> row.profile().equals(one.choice()) && loads.contains(row.load()));
      Comparisons.of(one.pair(), one.results(), question).stream()
          .map(row -> one.better() && isOpen(row) ? row.judged(Verdict.BETTER) : row)
          .forEach(made::add);
    }
    return List.copyOf(made);
  }

  private static boolean isOpen(Comparison row) {
    return row.kind() == Comparison.Kind.PRIMARY && row.verdict() == Verdict.UNCLEAR;
  }

  /**
   * What confirmed, or refused, the choice of a race.
   *
   * @param pair the experiment with the choice and the baseline alone, at the loads of the race
   * @param better whether it was confirmed at the one load that it has
   * @param results of the confirmation
   */
  private record Confirmed(
      String choice, Experiment pair, boolean better, List<TrialResult> results) {}

  private List<Confirmed> confirmed(Experiment narrowed) {
    List<Confirmed> found = new ArrayList<>();
    for (RaceCourse race : course.stream().flatMap(tune -> tune.races().stream()).toList()) {
      race.confirmation()
          .map(Confirmation::choice)
          .filter(name -> narrowed.profiles().stream().anyMatch(one -> one.name().equals(name)))
          .ifPresent(
              name ->
                  found.add(
                      new Confirmed(
                          name,
                          narrowed.narrowedTo(
                              narrowed.baseline(),
                              List.of(narrowed.baseline(), name),
                              narrowed.loads().stream().filter(race.loads()::contains).toList()),
                          race.loads().size() == 1 && race.confirmation().get().confirmed(),
                          lastConfirmation(race))));
    }
    return found;
  }

  /**
   * Returns what other runs are compared with. The values of a tune's choice, and of the baseline
   * at its loads, are of the confirmation alone, as in the answer.
   */
  public MeasuredRun measured() {
    MeasuredRun measured = MeasuredRun.of(run, facts.control());
    for (Confirmed one : confirmed(experiment())) {
      measured = measured.confirmed(one.pair(), one.results());
    }
    return measured;
  }

  /** Returns the windows of a race's confirmation: those since its last block. */
  List<TrialResult> lastConfirmation(RaceCourse race) {
    List<TrialResult> confirming = measuredFor(Purpose.CONFIRMATION, race);
    int end = last(confirming);
    int raced =
        last(
            measuredFor(Purpose.RACE, race).stream()
                .filter(result -> result.trial().number() < end)
                .toList());
    return confirming.stream().filter(result -> result.trial().number() > raced).toList();
  }

  private static int last(List<TrialResult> results) {
    return results.stream().mapToInt(result -> result.trial().number()).max().orElse(0);
  }

  /** Returns the results of a race with one purpose. */
  List<TrialResult> measuredFor(Purpose purpose, RaceCourse race) {
    return results().stream()
        .filter(result -> purposes.get(result.trial().number()) == purpose)
        .filter(result -> race.loads().contains(result.trial().load()))
        .toList();
  }

  /**
   * Returns a sentence for the loads at which the averages of tables, or of a tune's race, call
   * another profile best than those of verdicts; empty if they agree everywhere.
   */
  public Optional<String> splitLead() {
    Metric metric = facts.question().primary();
    if (course.isEmpty()) {
      return SplitLead.ofVerdicts(experiment(), results(), facts.comparisons());
    }
    return experiment().design().isPresent()
        ? Optional.empty()
        : course.get().races().stream()
            .flatMap(race -> SplitLead.ofRace(measuredFor(Purpose.RACE, race), metric).stream())
            .findFirst();
  }

  /** Returns what the factors of the experiment do; empty without factors. */
  public Optional<FactorEffects> effects() {
    return FactorEffects.of(experiment(), results(), facts.question());
  }

  /** Returns the settings in which a profile differs from the baseline. */
  public List<Knob> knobs(String profile) {
    return Knob.between(effective(experiment().baseline()), effective(profile));
  }

  /**
   * Returns the settings of each named domain under a profile: what it sets, else what the run
   * found; a simulated host starts with the defaults of its scheduler.
   */
  private Map<String, SchedulerParameters> effective(String profile) {
    Optional<Environment> found = run.environment();
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    for (List<String> names : experiment().domains().values()) {
      for (String name : names) {
        found
            .map(env -> env.settings().get(name))
            .or(this::simulatedDefaults)
            .ifPresent(parameters -> settings.put(name, parameters));
      }
    }
    settings.putAll(experiment().settings(experiment().profile(profile)));
    return settings;
  }

  private Optional<SchedulerParameters> simulatedDefaults() {
    return run.origin().isSimulated()
        ? run.describedHost()
            .flatMap(host -> Schedulers.KNOWN.named(host.scheduler()))
            .map(SchedulerParameters::defaults)
        : Optional.empty();
  }

  /** Returns the commands that set a profile on a host as the run found it. */
  public ProfileCommands commands(String profile) {
    return run.environment()
        .map(found -> ProfileCommands.of(experiment(), experiment().profile(profile), found))
        .orElse(new ProfileCommands(List.of(), List.of(), List.of()));
  }
}
