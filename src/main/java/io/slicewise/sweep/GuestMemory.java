package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Watching.Login;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.monitor.machine.MachineProbe;
import io.slicewise.observe.MachineCounters.Tier;
import io.slicewise.profile.Role;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.HostShells;
import io.slicewise.sweep.window.MachineWatch;
import io.slicewise.workload.WorkloadType.Sized;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The memory of the guest that is loaded, of which the size of a workload may be a multiple. */
public final class GuestMemory {
  private static final String WAY_OUT = "use 'scale' instead of 'memory'";

  private GuestMemory() {}

  /**
   * Returns the experiment with a workload of the size that fits its guest; the same one if nothing
   * depends on that. Reads the guest, and changes nothing.
   *
   * @param notice receives what was found, as a sentence
   * @throws SlicewiseException if the guest's memory cannot be read
   */
  public static Experiment sized(Experiment experiment, Consumer<String> notice) {
    WorkloadSpec spec = experiment.workload();
    String guest = experiment.domains().getOrDefault(Role.MAIN, List.of("")).get(0);
    Optional<Sized> sized = spec.sized(() -> of(experiment, guest));
    sized.ifPresent(found -> notice.accept(guest + ": " + found.sentence()));
    return sized
        .map(found -> experiment.withWorkload(spec.with(found.options())))
        .orElse(experiment);
  }

  private static double of(Experiment experiment, String guest) {
    try (MachineProbe probe = probe(experiment, guest)) {
      double memory = probe.look().memory();
      if (memory > 0) {
        return memory;
      }
      throw refusal("%s has no MemTotal in /proc/meminfo".formatted(guest), WAY_OUT, null);
    } catch (RemoteShellException fault) {
      throw refusal(
          "the memory of %s cannot be read: %s".formatted(guest, fault.getMessage()),
          fault.hint(),
          fault);
    }
  }

  private static MachineProbe probe(Experiment experiment, String guest) {
    HostSpec host =
        experiment
            .host()
            .orElseThrow(() -> refusal("the experiment names no host", "add 'host:'", null));
    Login login = experiment.watching().logins().get(guest);
    if (login != null) {
      return MachineWatch.probe(guest, login, host.limits());
    }
    if (guest.equals(HypervisorKind.BASE)) {
      return new MachineProbe(
          guest,
          Tier.BASE,
          Optional.empty(),
          List.of(),
          () -> HostShells.open(host),
          MachineProbe.Connects.ITSELF);
    }
    throw refusal(
        "the memory of %s is not known: it has no login".formatted(guest),
        "add '%s' to 'logins' (docs/observers.md), or %s".formatted(guest, WAY_OUT),
        null);
  }

  private static SlicewiseException refusal(String sentence, String hint, Throwable cause) {
    return new SlicewiseException(
        cause == null ? ErrorKind.INPUT : ErrorKind.NOT_READY, sentence, hint, cause);
  }
}
