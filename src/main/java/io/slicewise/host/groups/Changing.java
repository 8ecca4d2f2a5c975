package io.slicewise.host.groups;

import io.slicewise.host.CgroupVersion;
import io.slicewise.host.groups.Inventory.Guest;
import io.slicewise.host.groups.Writes.Write;
import io.slicewise.profile.Fair;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The commands that set a group. Each one tests in the same shell that the directory is still that
 * of the same life: after a removal a relative name leads nowhere, never into the next group.
 *
 * @param sudo whether they are called through {@code sudo -n}
 */
record Changing(Snapshot snapshot, boolean sudo) {

  /** Returns the commands that turn one setting of a guest into another; at most one. */
  List<Command> commands(Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    if (snapshot.managed(guest.path())) {
      return List.of(shell(Command.Effect.CHANGES, unit(guest, current, wanted)));
    }
    List<String> scripts = new ArrayList<>();
    boolean moves =
        !Fair.leavesCpus(wanted)
            && !Fair.leavesCpus(current)
            && !wanted.get(Fair.CPUS).equals(current.get(Fair.CPUS));
    script(guest, new Writes(snapshot.trees().version()).between(current, wanted))
        .ifPresent(scripts::add);
    if (moves) {
      cpus(guest, wanted).ifPresent(scripts::add);
    }
    return scripts.isEmpty()
        ? List.of()
        : List.of(shell(Command.Effect.CHANGES, String.join(" && ", scripts)));
  }

  /**
   * Returns a script that sets a guest through systemd. A burst has no property; one that is left
   * keeps the kernel from taking a quota below it, which systemd does not report.
   */
  String unit(Guest guest, SchedulerParameters current, SchedulerParameters wanted) {
    List<String> scripts = new ArrayList<>();
    boolean burst = !current.get(Fair.BURST).isZero();
    String file = CgroupVersion.V2.burstFile();
    if (burst) {
      script(guest, List.of(new Write(file, "0"))).ifPresent(scripts::add);
    }
    Map<String, String> properties = Units.properties(guest.name(), current, wanted);
    if (!properties.isEmpty()) {
      String unit = Platform.lastOf(guest.path());
      Map<String, String> found = Units.properties(guest.name(), current);
      scripts.add("( " + Units.untilReboot("/run").script(unit, properties, found) + " )");
    }
    if (!wanted.get(Fair.BURST).isZero()) {
      String micros = GroupFiles.micros(wanted.get(Fair.BURST));
      script(guest, List.of(new Write(file, micros))).ifPresent(scripts::add);
    }
    return String.join(" && ", scripts);
  }

  /** Returns a script that writes into a guest's files, if there is anything to write. */
  Optional<String> script(Guest guest, List<Write> writes) {
    return writes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            inside(snapshot.trees().cpu() + guest.path(), guest.inode()) + " && " + text(writes));
  }

  /** Returns a script that sets a guest's pCPUs. */
  Optional<String> cpus(Guest guest, SchedulerParameters wanted) {
    return snapshot
        .trees()
        .cpuset()
        .map(
            tree ->
                inside(tree + guest.path(), guest.cpuset())
                    + " && "
                    + text(List.of(Writes.cpus(wanted))));
  }

  /** Returns a script that enters a directory, and fails unless it is that of the same life. */
  static String inside(String directory, String inode) {
    return "cd %s && [ \"$(stat -c %%i .)\" = %s ]".formatted(quoted(directory), inode);
  }

  static String text(List<Write> writes) {
    return writes.stream()
        .map(write -> "echo %s >%s".formatted(value(write.value()), write.file()))
        .collect(Collectors.joining(" && "));
  }

  private static String value(String value) {
    return value.isEmpty() || value.contains(" ") ? "'" + value + "'" : value;
  }

  static String quoted(String word) {
    return Command.reading(word).quoted();
  }

  Command shell(Command.Effect effect, String script) {
    return command(sudo, effect, script);
  }

  static Command command(boolean sudo, Command.Effect effect, String script) {
    return new Command(List.of("sh", "-c", script), Optional.empty(), effect).throughSudo(sudo);
  }
}
