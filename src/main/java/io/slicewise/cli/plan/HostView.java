package io.slicewise.cli.plan;

import io.slicewise.cli.options.StatedToolstack;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.Hypervisor.Setting;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.Target;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.Settable;
import io.slicewise.sweep.guard.HostShells;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The state of a host, read without changing it.
 *
 * @param unseen why the host could not be read; empty if it was read or skipped
 * @param stated the toolstack to assume if the host is not read
 */
record HostView(
    String address,
    Optional<String> unseen,
    Optional<Seen> seen,
    Optional<StatedToolstack> stated) {

  /**
   * The state as read.
   *
   * @param domains by name
   * @param settings by the names of their targets
   * @param answer how long listing the domains took
   */
  record Seen(
      Hypervisor hypervisor,
      HostDescription description,
      Map<String, Domain> domains,
      Map<String, Setting> settings,
      Duration answer) {
    /** Returns the current parameters by target. */
    Map<String, SchedulerParameters> current() {
      return Setting.byName(settings.values());
    }

    /** Returns the domain or cpupool of that name; empty if the host has none with settings. */
    Optional<Target> target(String name) {
      return Target.of(name, domains.values())
          .filter(its -> its instanceof Domain || settings.containsKey(name));
    }
  }

  /** Returns a view without a host. */
  static HostView none(String address, StatedToolstack stated) {
    return new HostView(address, Optional.empty(), Optional.empty(), Optional.of(stated));
  }

  /**
   * Reads the host, and keeps the connection until its view has been used: some commands are only
   * known after a further question. If the host cannot be reached or understood, the view says why.
   */
  static <T> T look(Experiment experiment, Function<HostView, T> use) {
    HostSpec spec = experiment.namedHost();
    RemoteShell opened;
    try {
      opened = HostShells.open(spec);
    } catch (RemoteShellException e) {
      return use.apply(unseen(spec, e));
    }
    try (RemoteShell shell = opened) {
      return use.apply(read(experiment, shell));
    }
  }

  private static HostView read(Experiment experiment, RemoteShell shell) {
    try {
      return of(shell.address(), HostShells.hypervisor(shell, experiment));
    } catch (RemoteShellException | HypervisorException e) {
      return unseen(experiment.namedHost(), e);
    }
  }

  private static HostView unseen(HostSpec spec, RuntimeException fault) {
    return new HostView(
        spec.address(), Optional.of(fault.getMessage()), Optional.empty(), Optional.empty());
  }

  /** Reads the host through its hypervisor. */
  static HostView of(String address, Hypervisor hypervisor) {
    return new HostView(address, Optional.empty(), Optional.of(see(hypervisor)), Optional.empty());
  }

  private static Seen see(Hypervisor hypervisor) {
    HostDescription description = hypervisor.describe();
    long before = System.nanoTime();
    Map<String, Domain> domains = new LinkedHashMap<>();
    hypervisor.domains().forEach(domain -> domains.put(domain.name(), domain));
    Duration answer = Duration.ofNanos(System.nanoTime() - before);
    return new Seen(hypervisor, description, domains, Settable.found(hypervisor), answer);
  }
}
