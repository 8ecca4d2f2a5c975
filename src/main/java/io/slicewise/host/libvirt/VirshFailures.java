package io.slicewise.host.libvirt;

import io.slicewise.host.HypervisorException;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShellException;
import java.util.List;
import java.util.stream.Collectors;

/** Messages for failures of virsh. */
final class VirshFailures {
  private static final int NOT_FOUND = 127;

  /** Messages of virsh if libvirt's daemon is missing or stops during a command. */
  private static final List<String> LOST =
      List.of(
          "failed to connect to the hypervisor",
          "Failed to connect socket",
          "Disconnected from",
          "End of file while reading data",
          "Cannot recv data",
          "Cannot write data",
          "client socket is closed",
          "internal error: client socket",
          "Connection reset by peer",
          "connection closed due to keepalive timeout");

  private VirshFailures() {}

  static boolean isMissing(CommandResult result) {
    String said = result.standardError();
    return result.exitStatus() == NOT_FOUND
        || said.contains("command not found")
        || said.contains("virsh': No such file")
        || said.contains("virsh: No such file");
  }

  /**
   * Returns the failure of a host whose libvirt answered before. If it no longer answers, it counts
   * as unreachable, as during a restart, and can be waited for.
   */
  static RuntimeException ofKnownHost(String address, CommandResult result) {
    String said = said(result);
    return isLost(result)
        ? new RemoteShellException(
            RemoteShellException.Kind.CONNECTION_LOST,
            "libvirt's daemon on %s does not answer: %s".formatted(address, said),
            "Start libvirtd; guests and their settings go on without it.",
            null)
        : failed(address, result);
  }

  /** Returns whether libvirt's daemon did not answer, for reasons other than permissions. */
  static boolean isLost(CommandResult result) {
    String said = said(result);
    return LOST.stream().anyMatch(said::contains) && !isRefused(said);
  }

  /** Returns the failure of a command that virsh did not carry out. */
  static HypervisorException failed(String address, CommandResult result) {
    String said = said(result);
    return HypervisorException.ofCommand(address, result, said, hint(said));
  }

  /** Returns the error message, without standard output. */
  static String said(CommandResult result) {
    return result
        .standardError()
        .lines()
        .map(line -> line.replaceFirst("^error: ", "").strip())
        .filter(line -> !line.isEmpty() && !line.startsWith("setlocale:"))
        .limit(3)
        .collect(Collectors.joining(" / "));
  }

  private static boolean isRefused(String said) {
    return said.contains("Permission denied")
        || said.contains("authentication")
        || said.contains("access denied");
  }

  private static String hint(String said) {
    if (isRefused(said)) {
      return "Log in as root or as a member of the group libvirt, or set sudo: true;"
          + " qemu:///session, which needs neither, has none of the host's guests.";
    }
    if (said.contains("sudo:")) {
      return "Let the user call virsh through sudo without a password, or log in as root.";
    }
    if (LOST.stream().anyMatch(said::contains)) {
      return "Start libvirtd on the host.";
    }
    if (said.contains("cgroup CPU controller") || said.contains("cpu.cfs")) {
      return "See that the host's cpu controller is mounted and that libvirt uses it.";
    }
    return "";
  }
}
