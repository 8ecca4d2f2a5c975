package io.slicewise.evidence.analysis;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.TrialResult;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Under which schedulers the profiles of a run were measured, by what was read back from the host.
 * A scheduler is chosen at boot, so that trials under two of them share no boot, and a block that
 * holds both was run in parts.
 */
public final class Boots {
  private Boots() {}

  /** What that does to comparisons among the profiles, in words; empty under one scheduler. */
  public static Optional<String> words(List<TrialResult> results, Collection<String> profiles) {
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
                        ": a reboot lies between them, and what differs between two boots is in"
                            + " their difference")));
  }

  private static String schedulers(TrialResult result) {
    return result.host().applied().values().stream()
        .map(SchedulerParameters::scheduler)
        .map(scheduler -> scheduler.xenName())
        .distinct()
        .sorted()
        .collect(Collectors.joining(" and "));
  }
}
