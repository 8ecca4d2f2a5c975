package io.slicewise.run;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.ExperimentFacts;
import io.slicewise.experiment.PairPlan;
import io.slicewise.experiment.SessionDesign;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What must not change once a trial of a run has finished: what trials measure, the rules that
 * exclude them, and how a {@code stop} decides. Half a cell measured for three minutes and half for
 * one is not a cell; limits that are changed after seeing the excluded trials are not rules; and
 * Stein's method is invalid if its first stage or precision is changed after a look. Repetitions
 * may grow unless they are that first stage, and so may limits that do not affect precision. The
 * location of host and target is not part of the design. Properties that an old journal lacks are
 * unknown and cannot differ.
 *
 * @param facts by name, as text
 */
public record Design(Map<String, String> facts) {
  private static final String NONE = "none";

  public Design {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  public static Design of(Experiment experiment) {
    Map<String, String> facts = new LinkedHashMap<>(ExperimentFacts.domains(experiment));
    for (SchedulerProfile profile : experiment.profiles()) {
      facts.put("profile " + profile.name(), settings(experiment.settings(profile)));
    }
    facts.putAll(ExperimentFacts.workload(experiment.workload()));
    facts.put("plan", ExperimentFacts.plan(experiment.workload()).orElse(NONE));
    facts.put("properties", new TreeMap<>(experiment.workload().properties()).toString());
    experiment.lab().ifPresent(lab -> facts.put("lab", lab(lab)));
    facts.putAll(ExperimentFacts.durations(experiment));
    limits(experiment.limits(), facts);
    experiment.design().ifPresent(design -> sessions(design, facts));
    experiment
        .pairs()
        .flatMap(pairs -> experiment.aim().goal())
        .ifPresent(goal -> facts.put("goal of pairs", goal.toString()));
    if (experiment.pairs().isPresent()) {
      facts.put("baseline of pairs", experiment.baseline());
      facts.put("candidates of pairs", String.join(", ", PairPlan.candidates(experiment)));
    }
    experiment.tuning().ifPresent(tuning -> tuning(tuning, facts));
    experiment.stop().ifPresent(stop -> stop(stop, experiment.repetitions(), facts));
    return new Design(facts);
  }

  private static String settings(Map<String, SchedulerParameters> settings) {
    return settings.isEmpty()
        ? "nothing"
        : settings.entrySet().stream()
            .map(
                one ->
                    "%s %s %s"
                        .formatted(
                            one.getKey(),
                            one.getValue().scheduler().xenName(),
                            ParametersText.of(one.getValue())))
            .collect(Collectors.joining("; "));
  }

  /** Omits injected faults, which belong only to a rehearsal. */
  private static String lab(Map<String, Object> lab) {
    Map<String, Object> kept = new TreeMap<>(lab);
    kept.remove("faults");
    return kept.toString();
  }

  private static void limits(ValidityLimits limits, Map<String, String> facts) {
    facts.put("limit of errors", PercentText.of(limits.errorShare()));
    facts.put("limit of generator-cpu", PercentText.of(limits.generator().cpuShare()));
    facts.put("limit of other-work", PercentText.of(limits.otherWorkShare()));
    ValidityLimits.OfGenerator its = limits.generator();
    facts.put("limit of generator-lateness", Phrase.of("%s ms", its.latenessMillis()));
    facts.put("limit of generator-gc", PercentText.of(its.pauseShare()));
    facts.put("limit of arrival-lateness", Phrase.of("%s ms", its.arrivalMillis()));
    facts.put("limit of dropped-arrivals", PercentText.of(its.droppedShare()));
    facts.put("limit of littles-law", PercentText.of(limits.littlesLawError()));
    facts.put("limit of lab-lateness", Phrase.of("%s ms", limits.labLatenessMillis()));
  }

  /** More sessions may be added after those that ran, but their length must not change. */
  private static void sessions(SessionDesign design, Map<String, String> facts) {
    facts.put("design", design.kind());
    facts.putAll(design.fixed());
    facts.put("wash-out", design.washOut().map(DurationText::of).orElse("auto"));
  }

  /** The budget may grow from night to night, but not the question that it is spent on. */
  private static void tuning(Tuning tuning, Map<String, String> facts) {
    facts.put("goal of tune", tuning.goal().toString());
    facts.put("guard of tune", tuning.guard().toString());
    facts.put("within of tune", PercentText.of(tuning.within()));
    facts.put("confidence of tune", PercentText.of(tuning.confidence()));
    facts.put("search of tune", tuning.search().toString());
    facts.put("loads of tune", tuning.loads().toString());
  }

  private static void stop(Stop stop, int repetitions, Map<String, String> facts) {
    facts.put("repetitions, the first stage of stop,", String.valueOf(repetitions));
    facts.put("precision of stop", PercentText.of(stop.precision()));
    facts.put("rule of stop", stop.rule().toString());
    if (stop.rule() == Stop.Rule.ALWAYS_VALID) {
      // The intervals are narrowest at that number.
      facts.put("trials of stop", String.valueOf(stop.trials()));
    }
  }

  /**
   * Lists the properties in which {@code other} differs from this design; a new stop is not a
   * difference.
   */
  public List<String> brokenBy(Design other) {
    List<String> broken = new ArrayList<>();
    facts.forEach(
        (name, fact) -> {
          String now = other.facts.getOrDefault(name, NONE);
          if (!now.equals(fact)) {
            broken.add(name + " was " + fact + " and is " + now);
          }
        });
    return List.copyOf(broken);
  }
}
