package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.profile.Scope;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * What a host makes of a profile, without changing anything: the one judgement of plans, checks,
 * runs and applied profiles.
 */
public final class Settable {
  private Settable() {}

  /**
   * Why a host cannot take a profile.
   *
   * @param wayOut what to do
   */
  public record Refusal(String profile, String reason, String wayOut) {
    /** Returns it as a sentence without an end. */
    public String sentence() {
      return "profile %s: %s".formatted(profile, reason);
    }
  }

  /** Returns what the host has now, by the names of the targets. */
  public static Map<String, Setting> found(Hypervisor host) {
    Map<String, Setting> found = new LinkedHashMap<>();
    host.settings().forEach(one -> found.putIfAbsent(one.target().name(), one));
    return found;
  }

  /**
   * Refuses a run before anything is changed.
   *
   * @param address of the host
   * @param undone whether this run changed the host before, and has undone it
   * @throws SlicewiseException with the first refusal
   */
  public static void check(Experiment experiment, Hypervisor host, String address, boolean undone) {
    Map<String, Setting> found = found(host);
    for (SchedulerProfile profile : experiment.profiles()) {
      refusal(host, experiment, profile, found)
          .ifPresent(
              refusal -> {
                throw new SlicewiseException(
                    ErrorKind.NOT_READY,
                    refusal.sentence(),
                    "%s; %s"
                        .formatted(
                            refusal.wayOut(),
                            (undone
                                    ? "what this run had changed on %s is undone"
                                    : "%s was left as it is")
                                .formatted(address)));
              });
    }
  }

  /** Returns the judgement of profiles that are chosen on the host: why it cannot take one. */
  public static Function<SchedulerProfile, Optional<String>> judge(
      Hypervisor host, Experiment experiment) {
    Map<String, Setting> found = found(host);
    return profile -> refusal(host, experiment, profile, found).map(Refusal::reason);
  }

  /** Returns a sentence for each profile that sets the same as an earlier one, controls aside. */
  public static List<String> alike(Experiment experiment) {
    Map<Map<String, SchedulerParameters>, String> names = new LinkedHashMap<>();
    List<String> alike = new ArrayList<>();
    for (SchedulerProfile profile : experiment.profiles()) {
      if (!experiment.controls().contains(profile.name())) {
        Optional.ofNullable(names.putIfAbsent(experiment.settings(profile), profile.name()))
            .ifPresent(
                other ->
                    alike.add(
                        "%s and %s have the same settings: a difference between them is chance"
                            .formatted(other, profile.name())));
      }
    }
    return alike;
  }

  /**
   * Returns why a host cannot take a profile; empty if it can, possibly after a reboot into another
   * scheduler, or once its guests run.
   */
  public static Optional<Refusal> refusal(
      Hypervisor host,
      Experiment experiment,
      SchedulerProfile profile,
      Map<String, Setting> found) {
    return experiment.settings(profile).entrySet().stream()
        .flatMap(
            one ->
                refusal(host, profile, one.getKey(), one.getValue(), found.get(one.getKey()))
                    .stream())
        .findFirst();
  }

  /**
   * @param found null if the host has no such target
   */
  private static Optional<Refusal> refusal(
      Hypervisor host,
      SchedulerProfile profile,
      String name,
      SchedulerParameters wanted,
      Setting found) {
    Optional<String> never =
        host.refusal(name, wanted)
            .or(() -> lacking(host, wanted.scheduler()))
            .or(
                () ->
                    found == null && Target.isOfHost(name)
                        ? Optional.of("%s %s".formatted(name, host.whyMissing(name)))
                        : Optional.empty());
    if (never.isPresent()) {
      return never.map(
          reason ->
              new Refusal(
                  profile.name(), reason, "correct the profile, or use a host that can take it"));
    }
    if (found == null) {
      return Optional.empty();
    }
    if (host.switchesLive(found.parameters(), wanted) || profile.moved().contains(name)) {
      try {
        host.commandsFor(found.target(), found.parameters(), wanted);
      } catch (HypervisorException refused) {
        return Optional.of(
            new Refusal(profile.name(), refused.reason(), refused.hint().replaceFirst("\\.$", "")));
      }
    }
    return unrestorable(host, found, wanted)
        .map(
            reason ->
                new Refusal(
                    profile.name(),
                    reason,
                    "set it to values that the listing shows, or remove the domain from the"
                        + " profile"));
  }

  private static Optional<String> lacking(Hypervisor host, Scheduler scheduler) {
    return scheduler.scope() == Scope.DOMAIN && !host.has(scheduler)
        ? Optional.of(
            "needs %s, which %s lacks".formatted(scheduler.xenName(), host.describe().hypervisor()))
        : Optional.empty();
  }

  /**
   * Returns why a change of a domain could not be undone, as a sentence; empty if it could. A dry
   * round trip: the commands that undo it can be made, and what they set is shown as what was read.
   *
   * @param found the domain and its current settings
   */
  private static Optional<String> unrestorable(
      Hypervisor host, Setting found, SchedulerParameters wanted) {
    SchedulerParameters before = found.parameters();
    if (!host.switchesLive(before, wanted)) {
      return Optional.empty();
    }
    Set<String> changed = wanted.changedFrom(before);
    SchedulerParameters during = before.with(changed, wanted);
    SchedulerParameters after = during.with(changed, before);
    return host.unrestorable(before)
        .or(() -> why(host, found.target(), during, after))
        .or(
            () ->
                Optional.of("it would be read differently")
                    .filter(any -> !host.shows(after, before)))
        .filter(any -> !changed.isEmpty())
        .map(
            reason ->
                "%s could not be restored (found: %s): %s"
                    .formatted(found.target().name(), ParametersText.of(before), reason));
  }

  private static Optional<String> why(
      Hypervisor host, Target target, SchedulerParameters from, SchedulerParameters to) {
    try {
      host.commandsFor(target, from, to);
      return Optional.empty();
    } catch (HypervisorException inexpressible) {
      return Optional.of(inexpressible.reason());
    }
  }
}
