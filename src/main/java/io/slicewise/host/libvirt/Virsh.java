package io.slicewise.host.libvirt;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The program {@code virsh} on its host. The connection is always explicit, since a user's own
 * libvirt has other guests or none.
 *
 * @param prefix the words before the sub-command
 */
record Virsh(RemoteShell shell, List<String> prefix) {
  /** The separator between the outputs of several commands; no command prints such a line. */
  private static final String BETWEEN = "@@";

  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9-]+");

  Virsh {
    prefix = List.copyOf(prefix);
  }

  static List<String> prefix(boolean sudo) {
    List<String> program = List.of("virsh", "-c", "qemu:///system");
    List<String> environment = List.of("env", "LC_ALL=C");
    return Stream.of(environment, sudo ? List.of("sudo", "-n") : List.<String>of(), program)
        .flatMap(List::stream)
        .toList();
  }

  /**
   * Returns the output of several reading commands in one call, which needs one process and one
   * connection. A failed command, as for a stopped guest, gives less output or none.
   *
   * @param commands with arguments that need no quotes, such as UUIDs
   */
  List<String> readAll(List<List<String>> commands) {
    if (commands.isEmpty()) {
      return List.of();
    }
    StringBuilder line = new StringBuilder();
    for (List<String> command : commands) {
      command.forEach(Virsh::refuseUnlessPlain);
      line.append(String.join(" ", command)).append("; echo ").append(BETWEEN).append("; ");
    }
    CommandResult result = tryRead(List.of(line.substring(0, line.length() - 2)));
    if (!result.succeeded() || VirshFailures.isLost(result)) {
      throw VirshFailures.ofKnownHost(shell.address(), result);
    }
    List<String> printed = List.of(result.standardOutput().split("(?m)^" + BETWEEN + "\\R?", -1));
    return printed.subList(0, Math.min(commands.size(), printed.size()));
  }

  private static void refuseUnlessPlain(String word) {
    if (!PLAIN.matcher(word).matches()) {
      throw new IllegalArgumentException("'%s' would have to be quoted".formatted(word));
    }
  }

  CommandResult tryRead(List<String> arguments) {
    return shell.run(reading(arguments));
  }

  Command reading(List<String> arguments) {
    return Command.reading(arguments).behind(prefix);
  }

  Command changing(List<String> arguments) {
    return Command.changing(arguments).behind(prefix);
  }

  /** Returns a command whose editor is a program instead of a person's. */
  Command editing(String editor, List<String> arguments) {
    List<String> words = new ArrayList<>(changing(arguments).words());
    words.add(words.indexOf("virsh"), "VISUAL=" + editor);
    words.add(words.indexOf("VISUAL=" + editor), "env");
    return Command.changing(words);
  }

  /** Runs a changing command. */
  void change(Command command) {
    CommandResult result = shell.run(command);
    if (!result.succeeded()) {
      throw VirshFailures.ofKnownHost(shell.address(), result);
    }
  }
}
