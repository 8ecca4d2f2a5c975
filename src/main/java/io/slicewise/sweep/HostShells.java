package io.slicewise.sweep;

import io.slicewise.experiment.HostSpec;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.Shells;
import io.slicewise.xen.Toolstack;
import io.slicewise.xen.Toolstacks;
import java.time.Duration;

/** Opens what an experiment's {@code host:} describes. */
public final class HostShells {
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private HostShells() {}

  /** A shell on the host, logged in. */
  public static RemoteShell open(HostSpec spec) {
    if (spec.local()) {
      return Shells.local();
    }
    return Shells.open(
        new Connection(
            spec.address(),
            spec.user(),
            spec.port(),
            spec.identity(),
            spec.knownHosts(),
            PATIENCE));
  }

  /** The toolstack found on the host, or the one the experiment insists on. */
  public static Toolstack toolstack(RemoteShell shell, HostSpec spec) {
    return Toolstacks.probe(shell, new Toolstacks.Options(spec.sudo(), spec.toolstack()));
  }
}
