package io.slicewise.profile;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A named set of scheduler parameters, by domain name or by role, and of what else a host has.
 *
 * @param name unique within an experiment
 * @param scheduler the scheduler it needs; empty for {@code as-found}, which sets nothing
 * @param byRole parameters for every domain of a role ({@code dom0}, {@code main}, {@code other})
 * @param byDomain parameters for a domain by its name; takes precedence over its role
 * @param byTarget parameters of cpupools, places and splits, by their names as targets
 */
public record SchedulerProfile(
    String name,
    Optional<Scheduler> scheduler,
    Map<Role, SchedulerParameters> byRole,
    Map<String, SchedulerParameters> byDomain,
    Map<String, SchedulerParameters> byTarget) {

  /** The profile that leaves every domain as it was found: the baseline of every comparison. */
  public static final SchedulerProfile AS_FOUND =
      new SchedulerProfile("as-found", Optional.empty(), Map.of(), Map.of(), Map.of());

  private static final int LONGEST_FILE_NAME = 80;

  public SchedulerProfile {
    byRole = Map.copyOf(byRole);
    byDomain = Map.copyOf(byDomain);
    byTarget = Map.copyOf(byTarget);
  }

  /** A profile of domains alone. */
  public SchedulerProfile(
      String name,
      Optional<Scheduler> scheduler,
      Map<Role, SchedulerParameters> byRole,
      Map<String, SchedulerParameters> byDomain) {
    this(name, scheduler, byRole, byDomain, Map.of());
  }

  /** Returns a copy with another name. */
  public SchedulerProfile named(String other) {
    return new SchedulerProfile(other, scheduler, byRole, byDomain, byTarget);
  }

  /**
   * Returns a profile's name as part of a file name: {@code web-512-batch-23} for {@code web 512,
   * batch 23}.
   */
  public static String fileName(String profile) {
    String safe = profile.replaceAll("[^A-Za-z0-9._+-]+", "-");
    return safe.length() <= LONGEST_FILE_NAME ? safe : safe.substring(0, LONGEST_FILE_NAME);
  }

  /** Returns whether a user who writes this word means the profile that has this name. */
  public static boolean isCalled(String word, String profile) {
    return word.equals(profile) || word.equals(fileName(profile));
  }

  /** Returns the parameters for one domain; empty means: leave or restore the settings found. */
  public Optional<SchedulerParameters> forDomain(String domain, Role role) {
    return Optional.ofNullable(byDomain.get(domain))
        .or(() -> Optional.ofNullable(byRole.get(role)));
  }

  /** Returns the parameters of the targets of a scope, by their names as targets, in order. */
  public Map<String, SchedulerParameters> of(Scope scope) {
    Map<String, SchedulerParameters> its = new TreeMap<>(byTarget);
    its.keySet().removeIf(target -> !scope.has(target));
    return its;
  }

  /** Returns the guests that it moves into a cpupool of their own. */
  public Set<String> moved() {
    return of(Scope.SPLIT).values().stream()
        .flatMap(split -> Split.domains(split).stream())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Returns the scheduler that the host must have booted with; empty if any will do. */
  public Optional<Scheduler> booted() {
    return scheduler.filter(its -> of(Scope.SPLIT).isEmpty());
  }

  /** Returns whether both set the same values, regardless of their names. */
  public boolean setsTheSameAs(SchedulerProfile other) {
    return scheduler.equals(other.scheduler)
        && byRole.equals(other.byRole)
        && byDomain.equals(other.byDomain)
        && byTarget.equals(other.byTarget);
  }
}
