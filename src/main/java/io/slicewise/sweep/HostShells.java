package io.slicewise.sweep;

import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisors;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;

/** Opens the host of an experiment. */
public final class HostShells {
  private static final String MORE_TIME =
      "A slow host needs a longer command-limit below host: in the experiment.";

  private HostShells() {}

  /** A shell on the host, logged in. */
  public static RemoteShell open(HostSpec spec) {
    RemoteShell shell = spec.local() ? Shells.local() : Shells.open(connection(spec));
    return Shells.limited(shell, spec.limits().command(), MORE_TIME);
  }

  private static Connection connection(HostSpec spec) {
    return new Connection(
        spec.address(),
        spec.user(),
        spec.port(),
        spec.identity(),
        spec.knownHosts(),
        spec.limits().signIn());
  }

  /** Returns the hypervisor found on the host, with the experiment's toolstack, if set. */
  public static Hypervisor hypervisor(RemoteShell shell, HostSpec spec) {
    return Hypervisors.probe(shell, spec.sudo(), spec.hypervisor(), spec.toolstack());
  }
}
