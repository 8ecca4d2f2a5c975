package io.slicewise.lab.virsh;

import io.slicewise.lab.libvirt.LibvirtGuest;
import io.slicewise.lab.libvirt.Libvirtd;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.virsh.VirshProgram.VirshFailure;
import java.io.IOException;

/** One run of virsh: its connection and its output. */
record VirshSession(Invocation invocation, Libvirtd daemon, boolean quiet) {

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

  LibvirtGuest guest(VshArguments arguments) {
    return guest(arguments.text("domain").orElseThrow());
  }

  LibvirtGuest guest(String typed) {
    return daemon
        .find(typed)
        .orElseThrow(() -> new VirshFailure("failed to get domain '" + typed + "'"));
  }
}
