package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.stream.Collectors;

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
    return shell.run(reading(arguments));
  }

  Command reading(List<String> arguments) {
    return Command.reading(arguments).behind(prefix);
  }

  Command changing(List<String> arguments) {
    return Command.changing(arguments).behind(prefix);
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

  /** The command for messages. */
  String named(List<String> arguments) {
    return String.join(" ", reading(arguments).words());
  }

  /** Error messages for commands that a toolstack does not support or rejected. */
  static final class ToolRefusals {
    private static final int NOT_FOUND = 127;

    private ToolRefusals() {}

    static HypervisorException noCommand(Dialect dialect, Scheduler scheduler) {
      return new HypervisorException(
          "%s of Xen %s has no settings for the %s scheduler."
              .formatted(dialect.name(), dialect.version(), scheduler.xenName()),
          "Use a profile for a scheduler that this host has.");
    }

    static void refuseCap(Dialect dialect, Domain domain, int cap) {
      if (cap > 0) {
        throw SettingRanges.refusal(
            domain,
            "cap " + cap,
            "cannot be set: %s of Xen %s has no cap for credit2 (xl from 4.10 on has)"
                .formatted(dialect.name(), dialect.version()));
      }
    }

    /** Returns the failure of a command that the toolstack did not carry out. */
    static HypervisorException failed(String address, CommandResult result) {
      String said = said(result);
      return HypervisorException.ofCommand(address, result, said, hint(result, said));
    }

    /** Returns the command's error message, without messages that appear at every call. */
    static String said(CommandResult result) {
      return (result.standardError() + "\n" + result.standardOutput())
          .lines()
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.startsWith("Failed to read config file"))
          .limit(3)
          .collect(Collectors.joining(" / "));
    }

    private static String hint(CommandResult result, String said) {
      if (said.contains("xend is running")) {
        return "This host uses xend: set toolstack: xm, or stop xend if it is not needed.";
      }
      if (said.contains("sudo:")) {
        return "Let the user call %s through sudo without a password, or log in as root."
            .formatted(result.command().words().get(2));
      }
      if (said.contains("Permission denied") || said.contains("need root access")) {
        return "Log in as root or set sudo: true.";
      }
      if (result.exitStatus() == NOT_FOUND) {
        return "Install Xen's tools or put them into the PATH of non-interactive logins.";
      }
      return "";
    }
  }
}
