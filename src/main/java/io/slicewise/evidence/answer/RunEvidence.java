package io.slicewise.evidence.answer;

import io.slicewise.evidence.analysis.Attempts;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Confidence;
import io.slicewise.evidence.analysis.Knob;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.Recommendation;
import io.slicewise.experiment.Experiment;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.Environment;
import io.slicewise.run.PlannedTrial;
import io.slicewise.run.Purpose;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import io.slicewise.sweep.ProfileCommands;
import io.slicewise.tune.course.Confirmation;
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
 * @param results of all trials, valid or not
 * @param purposes of the trials, by number
 * @param facts comparisons with the baseline and the checks of the run
 * @param course of a tune; empty for other runs
 */
public record RunEvidence(
    RunDirectory run,
    Experiment experiment,
    List<TrialResult> results,
    Map<Integer, Purpose> purposes,
    Recommendation facts,
    Optional<TuneCourse> course) {
  public RunEvidence {
    results = List.copyOf(results);
    purposes = Map.copyOf(purposes);
  }

  /** Loads and compares a run. */
  public static RunEvidence of(RunDirectory run) {
    return of(run, run.readExperiment(), run.results());
  }

  /** Compares results that are already loaded. */
  public static RunEvidence of(RunDirectory run, Experiment experiment, List<TrialResult> results) {
    Map<Integer, Purpose> purposes =
        run.record().planned().values().stream()
            .collect(
                Collectors.toMap(
                    one -> one.trial().number(), PlannedTrial::purpose, (first, other) -> other));
    Recommendation facts =
        Recommendation.from(experiment, results, Question.of(experiment, results));
    Optional<TuneCourse> course = TuneRuns.course(run, experiment, results);
    return new RunEvidence(
        run,
        experiment,
        results,
        purposes,
        course
            .map(tune -> ofTune(experiment, results, purposes, facts, choices(tune)))
            .orElse(facts),
        course);
  }

  /** Returns the candidates that were measured again to confirm them. */
  private static List<String> choices(TuneCourse tune) {
    return tune.races().stream()
        .flatMap(race -> race.confirmation().stream())
        .map(Confirmation::choice)
        .distinct()
        .toList();
  }

  /**
   * Compares each choice by its confirmation alone: the windows of the race chose it, so that they
   * would make it look better than it is. A confirmation has one question, so that it belongs to no
   * family of comparisons.
   */
  private static Recommendation ofTune(
      Experiment experiment,
      List<TrialResult> results,
      Map<Integer, Purpose> purposes,
      Recommendation facts,
      List<String> choices) {
    List<TrialResult> apart =
        results.stream()
            .filter(
                one ->
                    !choices.contains(one.trial().profile())
                        || purposes.get(one.trial().number()) == Purpose.CONFIRMATION)
            .toList();
    List<Comparison> all = new ArrayList<>();
    facts.comparisons().stream().filter(one -> !choices.contains(one.profile())).forEach(all::add);
    for (String choice : choices) {
      Experiment both =
          experiment.narrowedTo(
              experiment.baseline(), List.of(experiment.baseline(), choice), experiment.loads());
      all.addAll(Comparisons.of(both, apart, facts.question()));
    }
    return facts.comparing(all).choosing(Optional.empty());
  }

  /** Returns the results of one purpose. */
  List<TrialResult> measuredFor(Purpose purpose) {
    return results.stream().filter(one -> purposes.get(one.trial().number()) == purpose).toList();
  }

  /** Returns the settings in which a profile differs from the baseline. */
  public List<Knob> knobs(String profile) {
    return Knob.between(effective(experiment.baseline()), effective(profile));
  }

  /**
   * Returns the settings of each named domain under a profile: what it sets, else what the run
   * found.
   */
  private Map<String, SchedulerParameters> effective(String profile) {
    Optional<Environment> found = run.environment();
    Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
    for (List<String> names : experiment.domains().values()) {
      for (String name : names) {
        found
            .map(env -> env.settings().get(name))
            .ifPresent(parameters -> settings.put(name, parameters));
      }
    }
    settings.putAll(experiment.settings(experiment.profile(profile)));
    return settings;
  }

  /** Returns how a recommendation of that profile meets the rules for one. */
  public Confidence confidence(String profile) {
    return Confidence.of(
        experiment, facts, profile, new Attempts(results).trials(), knobs(profile));
  }

  /** Returns the commands that set a profile on a host as the run found it. */
  public ProfileCommands commands(String profile) {
    return run.environment()
        .map(found -> ProfileCommands.of(experiment, experiment.profile(profile), found))
        .orElse(new ProfileCommands(List.of(), List.of(), List.of()));
  }
}
