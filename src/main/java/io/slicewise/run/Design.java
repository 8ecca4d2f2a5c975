package io.slicewise.run;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.SwitchbackDesign;
import io.slicewise.experiment.ValidityLimits;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Role;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * What a run must keep to once a trial of it finished: what its trials measure, the rules by which
 * one leaves, and how a {@code stop} judges. A cell of which half the trials were measured for
 * three minutes and half for one is no cell; a limit that is moved after a look at the trials it
 * excludes is no rule; and a first stage that grows, or a precision that is chosen, after a look
 * does not cover what Stein's says. Repetitions may grow where no first stage is made of them, and
 * so may the bounds that do not decide how precision is judged. Where the host and its target are
 * is not told, nor what the trials' numbers and names tell already. What a journal of old does not
 * hold is not known, and breaks nothing.
 *
 * @param facts by name, in words
 */
public record Design(Map<String, String> facts) {
  private static final String NONE = "none";

  public Design {
    facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
  }

  public static Design of(Experiment experiment) {
    Map<String, String> facts = new LinkedHashMap<>();
    for (Role role : Role.values()) {
      facts.put(
          role.key() + " domains",
          String.join(", ", experiment.domains().getOrDefault(role, List.of())));
    }
    for (SchedulerProfile profile : experiment.profiles()) {
      facts.put("profile " + profile.name(), settings(experiment.settings(profile)));
    }
    workload(experiment.workload(), facts);
    experiment.lab().ifPresent(lab -> facts.put("lab", lab(lab)));
    facts.put("ramp", DurationText.of(experiment.ramp()));
    facts.put("warm-up", DurationText.of(experiment.warmUp()));
    facts.put("measure", DurationText.of(experiment.measure()));
    facts.put("cool-down", DurationText.of(experiment.coolDown()));
    limits(experiment.limits(), facts);
    experiment.design().ifPresent(design -> sessions(design, facts));
    experiment.stop().ifPresent(stop -> stop(stop, experiment.repetitions(), facts));
    return new Design(facts);
  }

  private static String settings(Map<String, SchedulerParameters> settings) {
    return settings.isEmpty()
        ? "nothing"
        : settings.entrySet().stream()
            .map(
                one ->
                    one.getKey()
                        + " "
                        + one.getValue().scheduler().xenName()
                        + " "
                        + ParametersText.of(one.getValue()))
            .collect(Collectors.joining("; "));
  }

  private static void workload(WorkloadSpec workload, Map<String, String> facts) {
    facts.put("workload", workload.name());
    facts.put(
        "plan",
        workload
            .plan()
            .flatMap(plan -> Optional.ofNullable(plan.getFileName()))
            .map(Path::toString)
            .orElse(NONE));
    facts.put("properties", new TreeMap<>(workload.properties()).toString());
    workload.optionWords().forEach((option, words) -> facts.put("option " + option, words));
  }

  /** Its faults are a rehearsal's, and end with it. */
  private static String lab(Map<String, Object> lab) {
    Map<String, Object> kept = new TreeMap<>(lab);
    kept.remove("faults");
    return kept.toString();
  }

  private static void limits(ValidityLimits limits, Map<String, String> facts) {
    facts.put("limit of errors", PercentText.of(limits.errorShare()));
    facts.put("limit of generator-cpu", PercentText.of(limits.generatorCpuShare()));
    facts.put(
        "limit of generator-lateness",
        String.format(Locale.ROOT, "%s ms", limits.generatorLatenessMillis()));
    facts.put("limit of generator-gc", PercentText.of(limits.generatorPauseShare()));
    facts.put("limit of littles-law", PercentText.of(limits.littlesLawError()));
    facts.put(
        "limit of lab-lateness", String.format(Locale.ROOT, "%s ms", limits.labLatenessMillis()));
  }

  /** More sessions may be added behind those that ran; longer ones would be other sessions. */
  private static void sessions(SwitchbackDesign design, Map<String, String> facts) {
    facts.put("design", "switchback");
    facts.put("blocks of a session", String.valueOf(design.blocks()));
    facts.put("wash-out", design.washOut().map(DurationText::of).orElse("auto"));
  }

  private static void stop(Stop stop, int repetitions, Map<String, String> facts) {
    facts.put("repetitions, the first stage of stop,", String.valueOf(repetitions));
    facts.put("precision of stop", PercentText.of(stop.precision()));
    facts.put("rule of stop", stop.rule().toString());
    if (stop.rule() == Stop.Rule.ALWAYS_VALID) {
      // The intervals are made to be narrowest at that number.
      facts.put("trials of stop", String.valueOf(stop.trials()));
    }
  }

  /** In what the other no longer keeps to it, in words; a stop that is new breaks nothing. */
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
