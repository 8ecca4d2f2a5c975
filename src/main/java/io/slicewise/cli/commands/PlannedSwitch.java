package io.slicewise.cli.commands;

import io.slicewise.base.units.DurationText;
import io.slicewise.cli.screens.SwitchOutline;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.host.Undo;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.sweep.deadman.SwitchProgram;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The dead man's switch that a run would start on its host. */
record PlannedSwitch(Experiment experiment, HostView host) {
  /** Returns the switch; empty if the experiment asks for none. */
  Optional<SwitchOutline> outline() {
    return experiment.host().flatMap(HostSpec::deadMan).map(this::outline);
  }

  private SwitchOutline outline(Duration limit) {
    String sentence =
        "after %s without a heartbeat, the host restores itself".formatted(DurationText.of(limit));
    Map<String, Undo> undos = new LinkedHashMap<>();
    try {
      host.seen()
          .ifPresent(
              seen -> experiment.profiles().forEach(profile -> collect(seen, profile, undos)));
    } catch (HypervisorException inexpressible) {
      return new SwitchOutline(inexpressible.getMessage(), List.of());
    }
    return new SwitchOutline(
        sentence,
        undos.isEmpty()
            ? List.of()
            : new SwitchProgram(limit, "the run's lock", List.copyOf(undos.values()))
                .text()
                .lines()
                .toList());
  }

  private void collect(HostView.Seen seen, SchedulerProfile profile, Map<String, Undo> undos) {
    experiment
        .settings(profile)
        .forEach(
            (name, wanted) -> {
              Optional<Target> target = seen.target(name);
              SchedulerParameters found = seen.current().get(name);
              if (target.isPresent()
                  && found != null
                  && !found.equals(wanted)
                  && seen.hypervisor().switchesLive(found, wanted)) {
                seen.hypervisor()
                    .undo(
                        target.get(),
                        new Undo.Change(found, wanted.changedFrom(found), List.of(found, wanted)))
                    .ifPresent(undo -> undos.merge(name, undo, Undo::and));
              }
            });
  }
}
