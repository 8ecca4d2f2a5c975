package io.slicewise.host.libvirt;

import io.slicewise.host.Accounts;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestWatcher;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.SettingCommands;
import io.slicewise.profile.Cfs;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** QEMU/KVM under libvirt, driven through {@code virsh}. */
public final class Libvirt implements HypervisorKind {
  static final String TOOLSTACK = "virsh";

  /** Returns the shares of a guest that nobody changed, by the host's control groups. */
  public static int defaultShares(HypervisorVersion version) {
    return ControllerVersion.statedIn(version).defaultShares();
  }

  @Override
  public String product() {
    return "libvirt";
  }

  @Override
  public List<String> toolstacks() {
    return List.of(TOOLSTACK);
  }

  @Override
  public String poolWord() {
    return "control group";
  }

  @Override
  public Accounts accounts(RemoteShell shell, boolean sudo, List<Domain> domains) {
    return new ThreadShares.Threads(GuestThreads.find(shell, sudo, domains));
  }

  @Override
  public List<String> monitors() {
    return List.of("schedstat");
  }

  @Override
  public Optional<GuestWatcher> watcher(
      RemoteShell shell, HostDescription host, List<Domain> domains) {
    return Optional.of(new GuestEvents());
  }

  @Override
  public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
    return new NamedSettings(Virsh.prefix(sudo), ControllerVersion.statedIn(version));
  }

  @Override
  public HypervisorVersion usualVersion(String toolstack) {
    return ControllerVersion.V2.stateIn(HypervisorVersion.of(9, 0), "");
  }

  @Override
  public Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    Virsh virsh = new Virsh(shell, Virsh.prefix(sudo));
    CommandResult version = virsh.tryRead(VersionText.COMMAND);
    if (VirshFailures.isMissing(version)) {
      throw HypervisorException.absent(
          "%s has no virsh where a login finds it.".formatted(shell.address()),
          "Is this a host of libvirt's? Its virsh comes with libvirt-clients.");
    }
    if (!version.succeeded()) {
      throw VirshFailures.failed(shell.address(), version);
    }
    return new LibvirtHost(this, virsh);
  }

  /**
   * The commands that set a guest by name, for people to read. Commands that are run use the
   * guest's UUID.
   */
  record NamedSettings(List<String> prefix, ControllerVersion version) implements SettingCommands {
    private static final int ANY_VCPUS = 4096;

    @Override
    public List<Command> set(String domain, SchedulerParameters wanted) {
      if (domain.matches("[0-9]+")) {
        throw new HypervisorException(
            "The guest called %s cannot be named to virsh.".formatted(domain),
            "A name made of digits is taken for an id; 'slicewise apply' finds the right one.");
      }
      if (wanted.scheduler() != Scheduler.CFS) {
        throw new HypervisorException(
            "virsh has no settings for the %s scheduler.".formatted(wanted.scheduler().xenName()),
            "Use a profile for the cfs scheduler.");
      }
      int vcpus = Cfs.leavesPinning(wanted) ? ANY_VCPUS : wanted.leastVcpus();
      new SettingLimits(version).check(domain, vcpus, wanted);
      List<Command> commands = new ArrayList<>();
      SchedulerParameters unknown = SchedulerParameters.byVcpu(List.of(wanted));
      for (List<String> arguments :
          new SettingWords(version).of(List.of("--domain", domain), vcpus, unknown, wanted)) {
        List<String> words = new ArrayList<>(prefix);
        words.addAll(arguments);
        commands.add(Command.changing(words.toArray(String[]::new)));
      }
      return List.copyOf(commands);
    }
  }
}
