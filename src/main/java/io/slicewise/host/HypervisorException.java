package io.slicewise.host;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.HintedException;
import io.slicewise.ssh.CommandResult;

/** A toolstack failed, or its output cannot be parsed. */
public final class HypervisorException extends HintedException {
  private static final long serialVersionUID = 1L;

  private final boolean absent;

  public HypervisorException(String message, String hint) {
    this(message, hint, false);
  }

  private HypervisorException(String message, String hint, boolean absent) {
    super(ErrorKind.NOT_READY, message, hint, null);
    this.absent = absent;
  }

  /** Creates the failure of a host without any tool of the hypervisor. */
  public static HypervisorException absent(String message, String hint) {
    return new HypervisorException(message, hint, true);
  }

  /** Creates the failure of a command that a tool did not carry out, with what it printed. */
  public static HypervisorException ofCommand(
      String address, CommandResult result, String said, String hint) {
    return new HypervisorException(
        "'%s' on %s failed with exit status %d%s"
            .formatted(
                result.command().quoted(),
                address,
                result.exitStatus(),
                said.isEmpty() ? "." : ": " + said),
        hint);
  }

  /** Returns the message as a clause, without its full stop. */
  public String reason() {
    return getMessage().replaceFirst("\\.$", "");
  }

  /** Returns whether the host has no tool of the hypervisor. */
  public boolean isAbsent() {
    return absent;
  }
}
