package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.sweep.window.HostSession;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Refuses a run whose profiles the host can never take, or whose changes could not be undone,
 * before anything is changed.
 */
public final class Settable {
  private Settable() {}

  /**
   * Looks at all profiles of the experiment.
   *
   * @param undone whether this run changed the host before, and has undone it
   * @throws SlicewiseException with the first refusal
   */
  public static void check(Experiment experiment, HostSession session, boolean undone) {
    Hypervisor host = session.hypervisor();
    Map<String, Setting> found = new LinkedHashMap<>();
    host.settings().forEach(one -> found.putIfAbsent(one.target().name(), one));
    for (SchedulerProfile profile : experiment.profiles()) {
      experiment
          .settings(profile)
          .forEach(
              (domain, wanted) ->
                  host.refusal(domain, wanted)
                      .or(
                          () ->
                              Optional.ofNullable(found.get(domain))
                                  .flatMap(one -> unrestorable(host, one, wanted)))
                      .or(
                          () ->
                              Optional.of(domain)
                                  .filter(Target::isOfHost)
                                  .filter(name -> !found.containsKey(name))
                                  .map(name -> name + " " + host.whyMissing(name)))
                      .ifPresent(sentence -> refuse(profile, sentence, session, undone)));
    }
  }

  /**
   * Returns why a change of a domain could not be undone, as a sentence; empty if it could. A dry
   * round trip: the commands that undo it can be made, and what they set is shown as what was read.
   *
   * @param found the domain and its current settings
   */
  public static Optional<String> unrestorable(
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

  private static void refuse(
      SchedulerProfile profile, String sentence, HostSession session, boolean undone) {
    throw new SlicewiseException(
        ErrorKind.NOT_READY,
        "profile %s: %s".formatted(profile.name(), sentence),
        "correct the profile, or use a host that can take it; %s"
            .formatted(
                undone
                    ? "what this run had changed on %s is undone"
                        .formatted(session.shell().address())
                    : "%s was left as it is".formatted(session.shell().address())));
  }
}
