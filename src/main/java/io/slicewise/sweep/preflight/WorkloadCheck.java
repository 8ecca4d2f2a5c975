package io.slicewise.sweep.preflight;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.base.yaml.Options;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.load.access.AccessLog;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.load.generator.AllowedPlans;
import io.slicewise.load.generator.PlanCode;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.load.generator.PlanNeeds;
import io.slicewise.run.result.LoadResult;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.sweep.outcome.TrafficResult;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.sweep.window.WindowGuard;
import io.slicewise.workload.SecretProperties;
import io.slicewise.workload.Traffic;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadType.Need;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.counters.Counters;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
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
    PlanNeeds needs = LoadGenerators.needs(experiment).orElseThrow();
    needs
        .missing()
        .forEach(
            fault ->
                findings.add(
                    CheckResult.blocking(
                        "plan",
                        fault,
                        "put files beside the plan, and a plug-in's jar on Slicewise's class"
                            + " path")));
    needs
        .endsByItself()
        .ifPresent(ends -> findings.add(CheckResult.warning("plan", ends, PlanNeeds.WAY_OUT)));
    if (needs.missing().isEmpty() && code.filter(WorkloadCheck::isUnsafeToLoad).isEmpty()) {
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

  /** Reads ten seconds of an access log, and shows what it understood. */
  private static final class TrafficCheck {
    private static final Duration LOOK = Duration.ofSeconds(10);
    private static final String LOG = "log";

    private TrafficCheck() {}

    static List<CheckResult> check(Traffic traffic, Experiment experiment) {
      try (AccessLog log = traffic.follow()) {
        log.awaitBegun();
        Instant began = Instant.now();
        TimeUnit.MILLISECONDS.sleep(LOOK.toMillis());
        Window window = new Window(began, Instant.now());
        LoggedWindow seen = log.read(window);
        List<CheckResult> results =
            results(
                traffic,
                seen,
                new TrafficResult(seen, window, log.labels(), log.resolutionMicros()));
        log.note()
            .ifPresent(note -> results.add(CheckResult.warning(LOG, note, "or keep windows long")));
        WindowGuard.lateBy(seen.lateness(), experiment)
            .ifPresent(
                late ->
                    results.add(
                        CheckResult.warning(
                            "guard", late, "a candidate may do harm until its window ends")));
        return results;
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return List.of();
      } catch (HintedException fault) {
        return List.of(CheckResult.blocking(LOG, fault.getMessage(), fault.hint()));
      }
    }

    private static List<CheckResult> results(
        Traffic traffic, LoggedWindow seen, TrafficResult result) {
      List<CheckResult> results = new ArrayList<>();
      if (!seen.requests().isEmpty()) {
        results.add(CheckResult.ok(LOG, understood(traffic, seen, result)));
      }
      seen.faults()
          .forEach(
              fault ->
                  results.add(
                      seen.requests().isEmpty() && seen.unread() > 0
                          ? CheckResult.blocking(LOG, fault, "fix 'log' or the server's format")
                          : CheckResult.warning(
                              LOG,
                              fault,
                              "a window of a run in which this happens does not count")));
      results.add(
          CheckResult.ok(
              "clock",
              Phrase.of(
                  "the clock of the log's machine is %+.1f ms from this one's (known to %.1f ms);"
                      + " lines come %d ms after their requests at most",
                  seen.ahead().toNanos() / 1e6,
                  seen.bound().toNanos() / 1e6,
                  seen.lateness().toMillis())));
      return results;
    }

    private static String understood(Traffic traffic, LoggedWindow seen, TrafficResult result) {
      LoadResult load = result.load();
      double aborts =
          result.measures().stream()
              .filter(measure -> measure.name().equals(Traffic.ABORTS))
              .mapToDouble(Measure::value)
              .findFirst()
              .orElse(Double.NaN);
      return Phrase.of(
          "%s: %.1f requests/s, mean %.1f ms, p95 %s, %d failed, %.1f %% aborted; %d left out, %d"
              + " lines not understood",
          traffic.path(),
          load.throughput(),
          load.meanMillis(),
          Double.isNaN(load.p95Millis())
              ? "unknown (of fewer than 200)"
              : Phrase.of("%.1f ms", load.p95Millis()),
          load.failed(),
          aborts,
          seen.leftOut(),
          seen.unread());
    }
  }
}
