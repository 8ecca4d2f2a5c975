package io.slicewise.sweep;

import io.slicewise.experiment.HostSpec;
import io.slicewise.monitor.Monitor;
import io.slicewise.monitor.Monitors;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.xen.HostDescription;
import io.slicewise.xen.Toolstack;

/** One connection to the host and the tools found on it. */
record HostSession(RemoteShell shell, Toolstack toolstack, HostDescription host, Monitor monitor)
    implements AutoCloseable {

  static HostSession open(HostSpec spec) {
    RemoteShell shell = HostShells.open(spec);
    try {
      Toolstack toolstack = HostShells.toolstack(shell, spec);
      HostDescription host = toolstack.describe();
      return new HostSession(shell, toolstack, host, Monitors.probe(shell, host, spec.sudo()));
    } catch (RuntimeException e) {
      shell.close();
      throw e;
    }
  }

  @Override
  public void close() {
    shell.close();
  }
}
