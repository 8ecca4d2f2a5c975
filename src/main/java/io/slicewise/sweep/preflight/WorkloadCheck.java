package io.slicewise.sweep.preflight;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.load.generator.PlanCode;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.counters.Counters;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Checks that the workload's target answers, its plan loads, and the plan reads its properties. */
final class WorkloadCheck {
  private static final String COUNTERS = "counters";

  private WorkloadCheck() {}

  static List<CheckResult> check(Experiment experiment) {
    WorkloadSpec spec = experiment.workload();
    if (!spec.loads() && spec.outcomes().isEmpty()) {
      return List.of(CheckResult.ok("workload", spec.name() + ": nothing is loaded, so no target"));
    }
    Workload workload = ExperimentWorkload.of(experiment);
    if (workload.traffic().isPresent()) {
      return TrafficCheck.check(workload.traffic().get(), experiment);
    }
    if (workload.counters().isPresent()) {
      return counters(workload.counters().get(), experiment);
    }
    List<CheckResult> findings = new ArrayList<>();
    findings.add(target(spec, workload));
    workload.remarks().forEach(said -> findings.add(CheckResult.ok("target", said)));
    workload.plan().ifPresent(plan -> findings.addAll(plan(plan, workload, experiment)));
    if (workload.benchmark().isPresent()) {
      LoadGenerators.code(experiment)
          .ifPresent(
              code -> AllowedPlans.note(code).ifPresent(note -> findings.add(code(code, note))));
    }
    return findings;
  }

  /** Shows what counters say of a window, as far as it is known before a run. */
  private static List<CheckResult> counters(Counters counters, Experiment experiment) {
    try (counters) {
      Optional<String> complaint = counters.complaint();
      if (complaint.isPresent()) {
        return List.of(
            CheckResult.blocking(
                COUNTERS, complaint.get(), "check the server and the names of its counters"));
      }
      Counters.Growths seen = counters.look(experiment.measure());
      List<CheckResult> findings = new ArrayList<>();
      String known =
          seen.measures().stream()
              .filter(one -> Double.isFinite(one.value()))
              .map(one -> Phrase.of("%s %.4g %s", one.name(), one.value(), one.unit()).strip())
              .collect(Collectors.joining(", "));
      if (!known.isEmpty()) {
        findings.add(CheckResult.ok(COUNTERS, known));
      }
      seen.faults()
          .forEach(
              fault ->
                  findings.add(
                      CheckResult.warning(
                          COUNTERS,
                          fault,
                          "a window of a run in which this happens does not count")));
      if (experiment.pairs().isPresent()) {
        findings.add(
            CheckResult.warning(
                "guard",
                "counters show what users experience only after a window, so none is cut short",
                "keep windows short and 'harm: {time: ...}' small"));
      }
      return findings;
    }
  }

  private static List<CheckResult> plan(Path plan, Workload workload, Experiment experiment) {
    Optional<PlanCode> code;
    try {
      code = LoadGenerators.code(experiment);
    } catch (SlicewiseException noPlan) {
      return List.of(CheckResult.blocking("plan", noPlan.getMessage(), noPlan.hint()));
    }
    List<CheckResult> findings = new ArrayList<>();
    if (code.filter(WorkloadCheck::isUnsafeToLoad).isEmpty()) {
      findings.addAll(plan(PlanFile.read(plan), workload, experiment));
    }
    findings.addAll(counts(plan, experiment.workload()));
    code.flatMap(AllowedPlans::note).ifPresent(note -> findings.add(code(code.get(), note)));
    return findings;
  }

  private static boolean isUnsafeToLoad(PlanCode code) {
    return !code.loadable() && !AllowedPlans.allow(code);
  }

  private static CheckResult code(PlanCode code, String note) {
    return AllowedPlans.allow(code)
        ? CheckResult.ok("plan", note)
        : CheckResult.warning(
            "plan",
            note + (isUnsafeToLoad(code) ? "; it was not loaded, which would run some of it" : ""),
            "read it before you allow it");
  }

  private static CheckResult target(WorkloadSpec spec, Workload workload) {
    Optional<String> complaint = workload.complaint();
    if (complaint.isPresent()) {
      return CheckResult.blocking(
          "target",
          complaint.get(),
          "check that the guests are serving, and that the workload has the right address");
    }
    return spec.target()
        .map(target -> CheckResult.ok("target", target + " answers"))
        .orElseGet(() -> withoutTarget(spec));
  }

  /** Without a target, the plan's own target is unknown. */
  private static CheckResult withoutTarget(WorkloadSpec spec) {
    boolean unknown =
        spec.outcomes().isEmpty()
            && Workloads.type(spec.name()).filter(type -> type.target() == Need.MAY).isPresent();
    return unknown
        ? CheckResult.warning(
            "target",
            "the experiment has none, so it was not checked",
            "make sure that the plan's own target answers")
        : CheckResult.ok("target", "the servers of workload " + spec.name() + " answer");
  }

  private static List<CheckResult> plan(PlanFile plan, Workload workload, Experiment experiment) {
    Optional<String> complaint =
        LoadGenerators.servers(experiment)
            .map(
                servers ->
                    plan.complaint(servers.properties(workload.properties()), servers.secrets()))
            .orElseGet(() -> plan.complaint(workload.properties(), Map.of()));
    if (complaint.isPresent()) {
      return List.of(
          CheckResult.blocking(
              "plan",
              complaint.get(),
              experiment.generators().servers().isPresent()
                  ? "check JMeter's servers and the keystore, or open the plan in JMeter"
                  : "open it in JMeter, fix it and save it"));
    }
    List<CheckResult> findings = new ArrayList<>();
    findings.add(
        CheckResult.ok(
            "plan",
            plan.path().getFileName()
                + " loads; it reads "
                + (plan.properties().isEmpty()
                    ? "no property"
                    : String.join(", ", new TreeSet<>(plan.properties().keySet())))));
    if (!plan.reads("users")) {
      findings.add(
          CheckResult.warning(
              "plan",
              "the plan does not read the property users, so every user load is the same",
              "set its thread count to ${__P(users)}"));
    }
    findings.addAll(unread(plan, workload.properties()));
    return findings;
  }

  private static List<CheckResult> counts(Path plan, WorkloadSpec spec) {
    return Workloads.type(spec.name()).stream()
        .flatMap(type -> type.counts(plan, new Options(spec.options())).stream())
        .map(sentence -> CheckResult.ok("plan", sentence))
        .toList();
  }

  private static List<CheckResult> unread(PlanFile plan, Map<String, String> given) {
    List<String> unread =
        plan.ignored(
            given.keySet().stream()
                .map(name -> SecretProperties.givenBy(name).orElse(name))
                .toList());
    return unread.isEmpty()
        ? List.of()
        : List.of(
            CheckResult.warning(
                "plan",
                "the plan does not read: " + String.join(", ", unread),
                "use ${__P(name)} in the plan, or remove the property"));
  }
}
