package io.slicewise.host;

import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.profile.Parameter;
import io.slicewise.profile.Pinning;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Scope;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What can be set on a host, as its descriptions and its readings have it.
 *
 * @param name as in a profile
 * @param target a domain, its place, a cpupool or the host
 * @param value now
 * @param scope what a change acts on: a domain, a cpupool or the whole machine
 * @param when {@code live}, or {@code boot}
 * @param lost what ends the value; {@code never} if nothing does
 * @param tool that sets it
 * @param others the programs of the host that set it, too; empty if none runs
 */
public record Knob(
    String name,
    String target,
    String value,
    String range,
    String scope,
    String when,
    String lost,
    String tool,
    String others) {

  /**
   * How a host sets a parameter.
   *
   * @param tool the program and its command
   * @param lost what ends the value
   */
  public record Handle(String tool, String lost) {}

  /** Returns all knobs of a host: those of its targets, in the order read, then its own. */
  public static List<Knob> of(Hypervisor hypervisor) {
    String pcpus = Pinning.ranges(hypervisor.pcpus());
    List<Knob> knobs = new ArrayList<>();
    for (Setting setting : hypervisor.settings()) {
      for (Parameter<?> parameter : setting.parameters().scheduler().parameters()) {
        if (!parameter.inert() && !isMissing(setting, parameter)) {
          knobs.add(of(hypervisor, setting, parameter, pcpus));
        }
      }
    }
    knobs.addAll(hypervisor.ownKnobs());
    return List.copyOf(knobs);
  }

  /** Returns whether the host has no such file. */
  private static <T> boolean isMissing(Setting setting, Parameter<T> parameter) {
    return setting.target() instanceof Target.Files
        && parameter.kind().isAsFound(setting.parameters().get(parameter));
  }

  private static <T> Knob of(
      Hypervisor hypervisor, Setting setting, Parameter<T> parameter, String pcpus) {
    Target target = setting.target();
    Handle handle = hypervisor.handle(setting, parameter);
    return new Knob(
        parameter.key(),
        Target.domainOf(target.name()),
        value(setting.parameters(), parameter),
        hypervisor.range(setting, parameter, pcpus),
        scope(hypervisor, target),
        parameter.live() ? "live" : "boot",
        handle.lost(),
        handle.tool(),
        "");
  }

  /** Returns this knob with those of these programs that set it, too. */
  public Knob among(List<Rival> rivals) {
    String also =
        rivals.stream()
            .filter(rival -> rival.knobs().contains(name))
            .map(Rival::name)
            .collect(Collectors.joining(", "));
    return new Knob(name, target, value, range, scope, when, lost, tool, also);
  }

  private static String scope(Hypervisor hypervisor, Target target) {
    if (target instanceof Target.Pool pool) {
      return pool.of() == Scope.SPLIT ? "host" : hypervisor.kind().poolWord();
    }
    return target instanceof Target.Files ? "host" : "domain";
  }

  private static <T> String value(SchedulerParameters parameters, Parameter<T> parameter) {
    return parameters.each().stream()
        .map(vcpu -> parameter.kind().text(vcpu.get(parameter)))
        .collect(Collectors.joining(" / "));
  }
}
