package io.slicewise.sweep.preflight;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisors;
import io.slicewise.profile.Role;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Patterns in an experiment's {@code domains}, such as {@code web-*}: names of guests with an
 * asterisk for any characters. They are resolved when a run begins, so that all its trials are of
 * the same guests.
 */
public final class GuestPatterns {
  private GuestPatterns() {}

  /**
   * Returns the experiment with the guests that its host has now in the place of patterns; the same
   * one if it has none.
   *
   * @throws SlicewiseException if a pattern matches no guest, or two roles would get the same one
   */
  public static Experiment resolved(Experiment experiment) {
    Optional<HostSpec> host = experiment.host();
    if (host.isEmpty() || !hasAny(experiment)) {
      return experiment;
    }
    try (RemoteShell shell = HostShells.open(host.get())) {
      return resolved(experiment, HostShells.hypervisor(shell, host.get()).guests().keySet());
    }
  }

  static boolean hasAny(Experiment experiment) {
    return experiment.domains().values().stream()
        .flatMap(List::stream)
        .anyMatch(GuestPatterns::isOne);
  }

  private static boolean isOne(String name) {
    return name.contains("*");
  }

  /** A guest that is listed by its name belongs to no pattern. */
  static Experiment resolved(Experiment experiment, Collection<String> guests) {
    experiment.profiles().stream()
        .flatMap(profile -> profile.byDomain().keySet().stream())
        .filter(GuestPatterns::isOne)
        .findFirst()
        .ifPresent(
            pattern -> {
              throw SlicewiseException.input(
                  "a profile sets %s, and only 'domains' takes patterns".formatted(pattern),
                  "set its role instead, 'main' or 'other'");
            });
    List<String> taken =
        new ArrayList<>(Hypervisors.controlDomain(Optional.empty()).stream().toList());
    experiment.domains().values().forEach(taken::addAll);
    Map<Role, List<String>> domains = new EnumMap<>(Role.class);
    experiment
        .domains()
        .forEach(
            (role, names) -> {
              List<String> resolved = new ArrayList<>();
              for (String name : names) {
                List<String> found = isOne(name) ? matching(name, guests, taken) : List.of(name);
                resolved.addAll(found);
                taken.addAll(found);
              }
              domains.put(role, resolved);
            });
    return experiment.withDomains(domains);
  }

  private static List<String> matching(
      String pattern, Collection<String> guests, List<String> taken) {
    Predicate<String> matches =
        Pattern.compile(
                List.of(pattern.split("\\*", -1)).stream()
                    .map(Pattern::quote)
                    .reduce((before, next) -> before + ".*" + next)
                    .orElseThrow())
            .asMatchPredicate();
    List<String> found =
        guests.stream().filter(matches).filter(name -> !taken.contains(name)).toList();
    if (found.isEmpty()) {
      throw SlicewiseException.input(
          "%s in 'domains' matches no guest that is not listed already".formatted(pattern),
          "the host's guests are " + String.join(", ", guests));
    }
    return found;
  }
}
