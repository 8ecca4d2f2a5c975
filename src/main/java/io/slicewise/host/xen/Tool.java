package io.slicewise.host.xen;

import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.stream.Stream;

/**
 * The toolstack's program on its host.
 *
 * @param prefix the words before the sub-command: {@code sudo -n /usr/sbin/xl}
 */
record Tool(RemoteShell shell, List<String> prefix) {
  Tool {
    prefix = List.copyOf(prefix);
  }

  /** Returns the output of a reading command; any exit status except 0 is a failure. */
  String read(List<String> arguments) {
    CommandResult result = tryRead(arguments);
    if (!result.succeeded()) {
      throw ToolRefusals.failed(shell.address(), result);
    }
    return result.standardOutput();
  }

  CommandResult tryRead(List<String> arguments) {
    return shell.run(Command.reading(words(arguments)));
  }

  Command changing(List<String> arguments) {
    return Command.changing(words(arguments));
  }

  /** Runs a changing command; xm reports some failures with exit status 0. */
  void change(List<String> arguments) {
    CommandResult result = shell.run(changing(arguments));
    boolean complained =
        result.standardError().lines().anyMatch(line -> line.startsWith("Error: "));
    if (!result.succeeded() || complained) {
      throw ToolRefusals.failed(shell.address(), result);
    }
  }

  private String[] words(List<String> arguments) {
    return Stream.concat(prefix.stream(), arguments.stream()).toArray(String[]::new);
  }

  /** The command for messages. */
  String named(List<String> arguments) {
    return String.join(" ", words(arguments));
  }
}
