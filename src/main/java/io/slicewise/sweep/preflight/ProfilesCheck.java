package io.slicewise.sweep.preflight;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.Target;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
import io.slicewise.sweep.Settable;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks which profiles can run with the active schedulers, and whether their values can be set.
 */
final class ProfilesCheck {
  private final Experiment experiment;
  private final Reached host;
  private final Map<String, Setting> found;
  private final List<String> runnable = new ArrayList<>();
  private final Map<String, List<String>> waiting = new TreeMap<>();
  private final List<CheckResult> faults = new ArrayList<>();

  private ProfilesCheck(Experiment experiment, Reached host) {
    this.experiment = experiment;
    this.host = host;
    this.found = Settable.found(host.hypervisor());
  }

  static List<CheckResult> check(Experiment experiment, Reached host) {
    return new ProfilesCheck(experiment, host).findings();
  }

  private List<CheckResult> findings() {
    experiment.profiles().forEach(this::sort);
    List<CheckResult> findings = new ArrayList<>();
    if (runnable.isEmpty() && !waiting.isEmpty()) {
      findings.add(
          CheckResult.blocking(
              "profiles",
              "no profile can run under the schedulers now active",
              "reboot into one of them: add sched=NAME to Xen's command line, or create a"
                  + " cpupool"));
    } else if (!runnable.isEmpty()) {
      findings.add(CheckResult.ok("profiles", "can run now: " + String.join(", ", runnable)));
    }
    waiting.forEach(
        (scheduler, profiles) ->
            findings.add(
                CheckResult.warning(
                    "profiles",
                    "need " + scheduler + ", which is not active: " + String.join(", ", profiles),
                    "they stay in the plan; %s; then: slicewise resume"
                        .formatted(
                            Scheduler.ofXenName(scheduler)
                                .map(host.hypervisor()::activation)
                                .orElse("use a cpupool that runs it")))));
    findings.addAll(faults);
    moving().ifPresent(findings::add);
    Settable.alike(experiment).stream()
        .map(
            sentence ->
                CheckResult.warning(
                    "profiles",
                    sentence,
                    "remove one; controls: [BASELINE-twice] repeats the baseline on purpose"))
        .forEach(findings::add);
    return findings;
  }

  /** Says what a split risks on a host that is not the lab. */
  private Optional<CheckResult> moving() {
    List<String> moving =
        experiment.profiles().stream()
            .filter(profile -> !profile.moved().isEmpty())
            .map(SchedulerProfile::name)
            .toList();
    return moving.isEmpty() || experiment.lab().isPresent()
        ? Optional.empty()
        : Optional.of(
            CheckResult.warning(
                "split",
                "moves running guests between schedulers, and Xen 4.17.7 has crashed at that: "
                    + String.join(", ", moving),
                "try it on a host that may crash, before one that may not (docs/knobs.md)"));
  }

  private void sort(SchedulerProfile profile) {
    Optional<Settable.Refusal> refusal =
        Settable.refusal(host.hypervisor(), experiment, profile, found);
    if (refusal.isPresent()) {
      faults.add(
          CheckResult.blocking(
              "profile " + profile.name(), refusal.get().reason(), refusal.get().wayOut()));
      return;
    }
    Map<Target, SchedulerParameters> settings = settings(profile);
    TreeSet<String> missing =
        settings.entrySet().stream()
            .filter(entry -> !profile.moved().contains(entry.getKey().name()))
            .filter(entry -> !isActive(entry.getKey(), entry.getValue().scheduler()))
            .map(entry -> profile.scheduler().orElseThrow().xenName())
            .collect(Collectors.toCollection(TreeSet::new));
    if (missing.isEmpty()) {
      runnable.add(profile.name());
    } else {
      missing.forEach(
          scheduler ->
              waiting.computeIfAbsent(scheduler, s -> new ArrayList<>()).add(profile.name()));
    }
  }

  private Map<Target, SchedulerParameters> settings(SchedulerProfile profile) {
    Map<Target, SchedulerParameters> settings = new LinkedHashMap<>();
    experiment
        .settings(profile)
        .forEach(
            (name, parameters) ->
                Target.of(name, host.domains())
                    .ifPresent(found -> settings.put(found, parameters)));
    return settings;
  }

  private boolean isActive(Target target, Scheduler scheduler) {
    if (scheduler.scope() != Scope.DOMAIN && scheduler.scope() != Scope.POOL) {
      return true;
    }
    String pool =
        target instanceof Domain domain ? domain.cpupool() : ((Target.Pool) target).pool();
    String active =
        host.description().cpupools().stream()
            .filter(listed -> listed.name().equals(pool))
            .map(CpuPool::scheduler)
            .findFirst()
            .orElse(host.description().bootScheduler());
    return scheduler.scope() == Scope.POOL
        ? Scheduler.ofXenName(active).flatMap(Scheduler::pool).filter(scheduler::equals).isPresent()
        : scheduler.xenName().equals(active);
  }
}
