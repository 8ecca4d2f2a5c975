package io.slicewise.host.xen;

import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.profile.Scheduler;
import io.slicewise.ssh.CommandResult;
import java.util.stream.Collectors;

/** Error messages for commands that a toolstack does not support or rejected. */
final class ToolRefusals {
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
    return new HypervisorException(
        "'%s' on %s failed with exit status %s%s"
            .formatted(
                result.command().quoted(),
                address,
                result.exitStatus(),
                said.isEmpty() ? "." : ": " + said),
        hint(result, said));
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
