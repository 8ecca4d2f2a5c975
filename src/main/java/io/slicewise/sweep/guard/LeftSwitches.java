package io.slicewise.sweep.guard;

import io.slicewise.base.units.DurationText;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.JournalEvent.DeadManArmed;
import io.slicewise.run.journal.SwitchTrace;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.deadman.HostSwitch.SwitchReport;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What became of a run's dead man's switches, read from its journal and its host.
 *
 * @param sentences one for each switch that acted or may still be on the host
 * @param restored the domains that a switch has dealt with, which the journal does not know yet
 */
public record LeftSwitches(List<String> sentences, Set<String> restored) {
  public static final LeftSwitches NONE = new LeftSwitches(List.of(), Set.of());

  /**
   * Returns the switches of a run; changes nothing.
   *
   * @param alive whether a process works on the run, which then knows its switch itself
   */
  public static LeftSwitches of(RunDirectory run, Experiment experiment, boolean alive) {
    List<JournalEvent> events = run.events();
    Stream<String> acted =
        SwitchTrace.lastFired(events).stream().map(JournalEvent.DeadManFired::sentence);
    List<DeadManArmed> left = SwitchTrace.left(events);
    Set<String> restored = new TreeSet<>();
    Stream<String> waiting =
        left.isEmpty() || alive
            ? left.stream().map(LeftSwitches::armed)
            : asked(experiment, left, restored).stream();
    return new LeftSwitches(Stream.concat(acted, waiting).toList(), restored);
  }

  private static String armed(DeadManArmed event) {
    return "a dead man's switch was armed at %s: it restores %s %s after the last heartbeat"
        .formatted(event.at(), String.join(", ", event.domains()), DurationText.of(event.limit()));
  }

  private static List<String> asked(
      Experiment experiment, List<DeadManArmed> left, Set<String> restored) {
    HostSpec spec = experiment.namedHost();
    try (RemoteShell shell = HostShells.open(spec)) {
      return left.stream().map(one -> sentence(shell, spec, one, restored)).toList();
    } catch (RemoteShellException unreachable) {
      return left.stream()
          .map(one -> armed(one) + "; the host cannot be asked: " + unreachable.getMessage())
          .toList();
    }
  }

  private static String sentence(
      RemoteShell shell, HostSpec spec, DeadManArmed event, Set<String> restored) {
    SwitchReport report = new HostSwitch(shell, spec.sudo(), event.name()).state();
    report
        .receipt()
        .ifPresent(
            receipt -> {
              restored.addAll(receipt.restored(event.domains()));
              restored.addAll(receipt.left(event.domains()).keySet());
              restored.addAll(receipt.gone(event.domains()));
            });
    return switch (report.state()) {
      case FIRED -> report.receipt().orElseThrow().sentence(event.domains());
      case ARMED -> armed(event);
      case FIRING -> "the dead man's switch is restoring the host now";
      default -> "the dead man's switch %s".formatted(DeadMan.reason(report.state()));
    };
  }
}
