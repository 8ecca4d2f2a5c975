package io.slicewise.sweep.preflight;

import io.slicewise.experiment.Experiment;
import io.slicewise.host.CpuPool;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.sweep.Settable;
import io.slicewise.sweep.preflight.HostCheck.Reached;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Checks which profiles can run with the active schedulers, and whether their values can be set.
 */
final class ProfilesCheck {
  private final Experiment experiment;
  private final Reached host;
  private final Map<Integer, Setting> found;
  private final List<String> runnable = new ArrayList<>();
  private final Map<String, List<String>> waiting = new TreeMap<>();
  private final List<CheckResult> faults = new ArrayList<>();

  private ProfilesCheck(Experiment experiment, Reached host) {
    this.experiment = experiment;
    this.host = host;
    this.found =
        host.hypervisor().settings().stream()
            .collect(
                Collectors.toMap(each -> each.domain().id(), Function.identity(), (a, b) -> a));
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
    return findings;
  }

  private void sort(SchedulerProfile profile) {
    Optional<CheckResult> never = never(profile);
    if (never.isPresent()) {
      faults.add(never.get());
      return;
    }
    Map<Domain, SchedulerParameters> settings = settings(profile);
    TreeSet<String> missing =
        settings.entrySet().stream()
            .filter(entry -> !schedulerOf(entry.getKey()).equals(name(entry.getValue())))
            .map(entry -> name(entry.getValue()))
            .collect(Collectors.toCollection(TreeSet::new));
    if (missing.isEmpty()) {
      runnable.add(profile.name());
      settings.forEach((domain, wanted) -> tryOut(profile, domain, wanted));
    } else {
      missing.forEach(
          scheduler ->
              waiting.computeIfAbsent(scheduler, s -> new ArrayList<>()).add(profile.name()));
    }
  }

  /** Settings that the host can never take. */
  private Optional<CheckResult> never(SchedulerProfile profile) {
    return experiment.settings(profile).entrySet().stream()
        .flatMap(one -> host.hypervisor().refusal(one.getKey(), one.getValue()).stream())
        .map(
            sentence ->
                CheckResult.blocking(
                    "profile " + profile.name(),
                    sentence,
                    "correct the profile, or use a host that can take it"))
        .findFirst();
  }

  private Map<Domain, SchedulerParameters> settings(SchedulerProfile profile) {
    Map<Domain, SchedulerParameters> settings = new LinkedHashMap<>();
    experiment
        .settings(profile)
        .forEach(
            (name, parameters) ->
                host.domains().stream()
                    .filter(domain -> domain.name().equals(name))
                    .findFirst()
                    .ifPresent(domain -> settings.put(domain, parameters)));
    return settings;
  }

  /** Derives the commands without sending them, which checks ranges against vCPUs. */
  private void tryOut(SchedulerProfile profile, Domain domain, SchedulerParameters wanted) {
    Optional.ofNullable(found.get(domain.id()))
        .ifPresent(
            current -> {
              try {
                host.hypervisor().commandsFor(domain, current.parameters(), wanted);
                Settable.unrestorable(host.hypervisor(), current, wanted)
                    .ifPresent(
                        sentence ->
                            faults.add(
                                CheckResult.blocking(
                                    "profile " + profile.name(),
                                    sentence,
                                    "set it to values that the listing shows, or remove the domain"
                                        + " from the profile")));
              } catch (HypervisorException e) {
                faults.add(
                    CheckResult.blocking("profile " + profile.name(), e.getMessage(), e.hint()));
              }
            });
  }

  private String schedulerOf(Domain domain) {
    return host.description().cpupools().stream()
        .filter(pool -> pool.name().equals(domain.cpupool()))
        .map(CpuPool::scheduler)
        .findFirst()
        .orElse(host.description().bootScheduler());
  }

  private static String name(SchedulerParameters parameters) {
    return parameters.scheduler().xenName();
  }
}
