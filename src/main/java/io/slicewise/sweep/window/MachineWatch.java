package io.slicewise.sweep.window;

import io.slicewise.experiment.HostSpec.HostLimits;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.host.Domain;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.monitor.machine.MachineProbe;
import io.slicewise.host.monitor.machine.Machines;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.observe.Observer;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.HostShells;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The probes of a run: one for the host, one for each login; each stays open between trials.
 *
 * @param series the time between readings in a window
 */
public record MachineWatch(List<MachineProbe> probes, Optional<Duration> series)
    implements AutoCloseable {
  /** The name of a host that is no domain itself. */
  private static final String HOST = "host";

  public MachineWatch {
    probes = List.copyOf(probes);
  }

  /** Creates the probes; they sign in when they are first needed. */
  public static MachineWatch open(
      RemoteShell shell, Hypervisor hypervisor, HostLimits limits, Watching watching) {
    List<MachineProbe> probes = new ArrayList<>();
    probes.add(ofHost(shell, hypervisor));
    watching.logins().forEach((name, login) -> probes.add(probe(name, login, limits)));
    return new MachineWatch(probes, watching.series());
  }

  private static MachineProbe ofHost(RemoteShell shell, Hypervisor hypervisor) {
    HypervisorKind kind = hypervisor.kind();
    Optional<String> control = kind.controlDomain();
    return new MachineProbe(
        control.orElse(kind.bare() ? HypervisorKind.BASE : HOST),
        control.isPresent() ? Tier.DOM0 : kind.bare() ? Tier.BASE : Tier.HOST,
        Optional.empty(),
        List.of(),
        () -> shell,
        MachineProbe.Connects.THROUGH_ANOTHER);
  }

  /** Creates the probe of a machine with a login. */
  public static MachineProbe probe(String name, Login login, HostLimits limits) {
    return new MachineProbe(
        name,
        login.storage() ? Tier.STORAGE : Tier.GUEST,
        login.service(),
        login.disks(),
        () -> HostShells.open(login, limits),
        MachineProbe.Connects.ITSELF);
  }

  /** Returns the observer for a window; probes that are not open sign in meanwhile. */
  public Observer observer(List<Domain> domains) {
    probes.forEach(MachineProbe::ready);
    return new Machines(probes, series, Domain.names(domains));
  }

  @Override
  public void close() {
    probes.forEach(MachineProbe::close);
  }
}
