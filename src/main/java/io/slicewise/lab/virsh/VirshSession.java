package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.libvirt.Libvirtd.LibvirtError;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;

/**
 * One run of virsh: its connection and its output.
 *
 * @param system whether it is connected to the host's guests rather than to a user's own
 */
record VirshSession(
    Invocation invocation, Libvirtd daemon, boolean system, boolean quiet, boolean readOnly) {

  void print(String format, Object... values) throws IOException {
    invocation.print(format, values);
  }

  /** Returns whether the caller asked for a locale without other characters. */
  boolean isAscii() {
    return invocation.environment().getOrDefault("LC_ALL", "").matches("C|POSIX");
  }

  /** Prints text that {@code --quiet} suppresses. */
  void extra(String format, Object... values) throws IOException {
    if (!quiet) {
      print(format, values);
    }
  }

  /** Returns the guests of this connection. */
  List<LibvirtGuest> guests() {
    return system ? daemon.guests() : List.of();
  }

  LibvirtGuest guest(VshArguments arguments) {
    return guest(arguments.text("domain").orElseThrow());
  }

  LibvirtGuest guest(String typed) {
    return guest(typed, EnumSet.allOf(Libvirtd.Key.class));
  }

  /** Returns the guest named by a command that takes only some keys. */
  LibvirtGuest guest(VshArguments arguments, Libvirtd.Key first, Libvirtd.Key second) {
    return guest(arguments.text("domain").orElseThrow(), EnumSet.of(first, second));
  }

  private LibvirtGuest guest(String typed, EnumSet<Libvirtd.Key> keys) {
    if (!system) {
      throw noSuchGuest(typed);
    }
    return daemon.find(typed, keys).orElseThrow(() -> noSuchGuest(typed));
  }

  private static VirshFailure noSuchGuest(String typed) {
    return new VirshFailure("failed to get domain '" + typed + "'");
  }

  /** Refuses a change over a read-only connection. */
  void throwIfReadOnly(String function) {
    if (readOnly) {
      throw new LibvirtError("operation forbidden: read only access prevents " + function);
    }
  }
}
