package io.slicewise.sweep.guard;

import io.slicewise.host.Hypervisor;
import io.slicewise.host.Target;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.List;

/**
 * The change of one domain or pool to a profile's settings, with the commands and those that undo
 * them.
 */
public record SettingChange(
    String domain, String found, String wanted, List<String> commands, List<String> undo) {
  /** Returns the change of a target by its hypervisor's own commands. */
  public static SettingChange of(
      Hypervisor hypervisor, Target target, SchedulerParameters found, SchedulerParameters wanted) {
    // What the profile leaves as found is there.
    SchedulerParameters changed = found.with(wanted.changedFrom(found), wanted);
    return new SettingChange(
        target.name(),
        ParametersText.of(found),
        ParametersText.of(wanted),
        lines(hypervisor.commandsFor(target, found, wanted)),
        lines(hypervisor.commandsFor(target, changed, found)));
  }

  /** Returns the change of a domain whose current settings are unknown. */
  public static SettingChange unseen(
      String domain, SchedulerParameters wanted, List<Command> commands) {
    return new SettingChange(
        domain, "not contacted", ParametersText.of(wanted), lines(commands), List.of());
  }

  private static List<String> lines(List<Command> commands) {
    return commands.stream().map(Command::quoted).toList();
  }
}
