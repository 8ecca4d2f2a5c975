package io.slicewise.evidence.runs;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import io.slicewise.profile.Split;
import io.slicewise.run.result.TrialResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The schedulers under which the profiles of a run were measured, as read from the host. A
 * scheduler is chosen at boot, so trials under different schedulers belong to different boots, and
 * their blocks were run in parts.
 */
public final class Boots {
  private Boots() {}

  /** Returns the consequence for comparisons; empty with a single scheduler. */
  public static Optional<String> sentence(List<TrialResult> results, Collection<String> profiles) {
    Map<String, Set<String>> byScheduler = new LinkedHashMap<>();
    results.stream()
        .filter(result -> profiles.contains(result.trial().profile()))
        .filter(result -> !result.host().applied().isEmpty())
        .forEach(
            result ->
                byScheduler
                    .computeIfAbsent(schedulers(result), key -> new LinkedHashSet<>())
                    .add(result.trial().profile()));
    return byScheduler.size() < 2
        ? Optional.empty()
        : Optional.of(
            byScheduler.entrySet().stream()
                .map(entry -> String.join(", ", entry.getValue()) + " under " + entry.getKey())
                .collect(
                    Collectors.joining(
                        "; ",
                        "",
                        ", separated by a reboot: differences between boots are included in their"
                            + " comparison")));
  }

  /** Returns the schedulers of guests that stay in the cpupools in which the host booted. */
  private static String schedulers(TrialResult result) {
    Map<String, SchedulerParameters> applied = result.host().applied();
    Set<String> moved =
        applied.values().stream()
            .filter(parameters -> parameters.scheduler() == Scheduler.SPLIT)
            .flatMap(split -> Split.domains(split).stream())
            .collect(Collectors.toSet());
    return applied.entrySet().stream()
        .filter(entry -> !moved.contains(entry.getKey()))
        .map(entry -> entry.getValue().scheduler())
        .filter(scheduler -> scheduler.scope() == Scope.DOMAIN)
        .map(scheduler -> scheduler.xenName())
        .distinct()
        .sorted()
        .collect(Collectors.joining(" and "));
  }
}
