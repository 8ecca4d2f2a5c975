package io.slicewise.cli.plan;

import io.slicewise.cli.options.StatedToolstack;
import io.slicewise.cli.plan.PlanOutline.Arm;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.Target;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Role;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.SettingDifference;
import io.slicewise.sweep.Settable;
import io.slicewise.sweep.guard.SettingChange;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The changes that each profile would make on the host, with the commands, their undo, and any
 * obstacles.
 */
final class PlannedChanges {
  private final Experiment experiment;
  private final HostView host;
  private final Set<String> problems = new LinkedHashSet<>();
  private final Map<String, Set<String>> refusals = new LinkedHashMap<>();

  PlannedChanges(Experiment experiment, HostView host) {
    this.experiment = experiment;
    this.host = host;
    host.unseen().ifPresent(problems::add);
    host.seen().ifPresent(this::findMissingDomains);
  }

  /** The problems in the order found; complete once every profile has been planned. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  Arm arm(SchedulerProfile profile) {
    Map<String, SchedulerParameters> settings = experiment.settings(profile);
    Map<String, String> words = new LinkedHashMap<>();
    settings.forEach((domain, wanted) -> words.put(domain, ParametersText.of(wanted)));
    Optional<String> needs = needs(profile, settings);
    List<SettingChange> changes = new ArrayList<>();
    Optional<Settable.Refusal> refusal =
        host.seen()
            .flatMap(
                seen -> Settable.refusal(seen.hypervisor(), experiment, profile, seen.settings()));
    refusal.ifPresent(its -> problems.add("%s: %s".formatted(its.sentence(), its.wayOut())));
    if (needs.isEmpty() && refusal.isEmpty()) {
      host.seen()
          .ifPresent(
              seen ->
                  differences(seen, settings)
                      .forEach(differing -> change(seen, differing).ifPresent(changes::add)));
      host.stated().ifPresent(stated -> changes.addAll(unseen(profile, stated, settings)));
    }
    return new Arm(
        profile.name(),
        profile.scheduler().map(Scheduler::xenName),
        profile.name().equals(experiment.baseline()),
        needs,
        words,
        changes);
  }

  /** Returns the commands for an assumed toolstack; the current settings are unknown. */
  private List<SettingChange> unseen(
      SchedulerProfile profile, StatedToolstack stated, Map<String, SchedulerParameters> settings) {
    SettingCommands words = stated.words(experiment);
    List<SettingChange> changes = new ArrayList<>();
    settings.forEach(
        (domain, wanted) -> {
          try {
            changes.add(SettingChange.unseen(domain, wanted, words.set(domain, wanted)));
          } catch (HypervisorException e) {
            refusals
                .computeIfAbsent(e.getMessage(), any -> new LinkedHashSet<>())
                .add(profile.name());
          }
        });
    return changes;
  }

  /** Returns a sentence for each setting that the assumed toolstack cannot express. */
  List<String> refusals() {
    return refusals.entrySet().stream()
        .map(refusal -> String.join(", ", refusal.getValue()) + ": " + refusal.getKey())
        .toList();
  }

  private Optional<String> needs(
      SchedulerProfile profile, Map<String, SchedulerParameters> settings) {
    return host.seen()
        .filter(
            seen ->
                differences(seen, settings).stream()
                    .filter(differing -> !profile.moved().contains(differing.domain()))
                    .anyMatch(
                        differing -> !differing.switchesLive(seen.hypervisor()::switchesLive)))
        .map(seen -> "sched=" + profile.scheduler().orElseThrow().xenName());
  }

  /** Returns the settings that the sweep would change, by the host's own comparison. */
  private static List<SettingDifference> differences(
      HostView.Seen seen, Map<String, SchedulerParameters> settings) {
    return SettingDifference.between(seen.current(), settings, seen.hypervisor()::shows);
  }

  private static Optional<SettingChange> change(HostView.Seen seen, SettingDifference differing) {
    String name = differing.domain();
    Optional<Target> target = seen.target(name);
    if (target.isEmpty() || differing.current().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
            SettingChange.of(
                seen.hypervisor(), target.get(), differing.current().get(), differing.wanted()))
        .filter(change -> !change.commands().isEmpty());
  }

  private void findMissingDomains(HostView.Seen seen) {
    experiment.searchedPools().stream()
        .filter(name -> !seen.settings().containsKey(name))
        .forEach(name -> problems.add(name + " " + seen.description().noSuchPool()));
    Optional<String> pool = experiment.host().flatMap(HostSpec::cpupool);
    experiment
        .domains()
        .forEach(
            (role, names) ->
                names.forEach(
                    name -> {
                      Domain domain = seen.domains().get(name);
                      if (domain == null) {
                        if (role != Role.DOM0
                            || seen.hypervisor().kind().controlDomain().isPresent()) {
                          problems.add(name + " " + seen.hypervisor().whyMissing(name));
                        }
                      } else if (role != Role.DOM0
                          && pool.filter(wanted -> !wanted.equals(domain.cpupool())).isPresent()) {
                        problems.add(
                            "%s runs in %s %s, not in %s"
                                .formatted(
                                    name,
                                    seen.hypervisor().kind().poolWord(),
                                    domain.cpupool(),
                                    pool.orElseThrow()));
                      }
                    }));
  }
}
