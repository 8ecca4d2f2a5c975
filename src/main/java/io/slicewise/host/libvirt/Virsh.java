package io.slicewise.host.libvirt;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.stream.Stream;

/**
 * The program {@code virsh} on its host. It is always told which libvirt to ask, since a user's own
 * one has other guests or none.
 *
 * @param prefix the words before the sub-command
 */
record Virsh(RemoteShell shell, List<String> prefix) {
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

  /** Returns what the reading command printed. */
  String read(List<String> arguments) {
    CommandResult result = tryRead(arguments);
    if (!result.succeeded()) {
      throw VirshFailures.ofKnownHost(shell.address(), result);
    }
    return result.standardOutput();
  }

  CommandResult tryRead(List<String> arguments) {
    return shell.run(Command.reading(words(arguments)));
  }

  Command changing(List<String> arguments) {
    return Command.changing(words(arguments));
  }

  /** Runs a changing command. */
  void change(Command command) {
    CommandResult result = shell.run(command);
    if (!result.succeeded()) {
      throw VirshFailures.ofKnownHost(shell.address(), result);
    }
  }

  private String[] words(List<String> arguments) {
    return Stream.concat(prefix.stream(), arguments.stream()).toArray(String[]::new);
  }
}
