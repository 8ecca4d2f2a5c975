package io.slicewise.host.bare;

import io.slicewise.host.Domain;
import io.slicewise.host.HostDescription;
import io.slicewise.host.HostDescription.CpuPool;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorKind.SettingCommands;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.Target;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The absence of a hypervisor; only a host of an experiment that asks for it has it. */
public final class Bare implements HypervisorKind {
  /** The word for it in an experiment, also in the place of a toolstack. */
  static final String WORD = "none";

  /** Creates the kind; for the service loader. */
  public Bare() {}

  @Override
  public String product() {
    return WORD;
  }

  @Override
  public List<String> toolstacks() {
    return List.of(WORD);
  }

  @Override
  public boolean bare() {
    return true;
  }

  @Override
  public Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    CommandResult type = shell.run(Command.reading("cat", "/sys/hypervisor/type"));
    if (type.succeeded() && type.standardOutput().strip().equals("xen")) {
      throw new HypervisorException(
          "%s runs under Xen, as its /sys/hypervisor/type says.".formatted(shell.address()),
          "Boot it without Xen, or leave 'hypervisor: none' out.");
    }
    CommandResult release = shell.run(Command.reading("uname", "-r"));
    CommandResult cpus = shell.run(Command.reading("nproc"));
    try {
      return new BareMachine(
          this,
          HypervisorVersion.ofKernel(release.standardOutput().strip()),
          Integer.parseInt(cpus.standardOutput().strip()));
    } catch (NumberFormatException e) {
      throw new HypervisorException(
          "nproc on %s printed '%s' and no number of CPUs."
              .formatted(shell.address(), cpus.standardOutput().strip()),
          "Check that the machine runs Linux with its usual tools.");
    }
  }

  @Override
  public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
    return (domain, wanted) -> List.of();
  }

  @Override
  public HypervisorVersion usualVersion(String toolstack) {
    return HypervisorVersion.of(0, 0);
  }

  /**
   * A machine without a hypervisor. It is its own only domain and has no settings, so nothing of it
   * is ever changed.
   *
   * @param version of the kernel
   */
  record BareMachine(HypervisorKind kind, HypervisorVersion version, int cpus)
      implements Hypervisor {
    private static final String POOL = "all";

    @Override
    public HostDescription describe() {
      CpuPool all = new CpuPool(POOL, cpus, Bare.WORD, 1);
      return new HostDescription(
          Bare.WORD, version, version.toString(), cpus, Double.NaN, Bare.WORD, List.of(all));
    }

    @Override
    public List<Domain> domains() {
      return List.of(new Domain(HypervisorKind.BASE, 0, cpus, 0, POOL));
    }

    @Override
    public List<Setting> settings() {
      return List.of();
    }

    @Override
    public List<Command> commandsFor(
        Target target, SchedulerParameters current, SchedulerParameters wanted) {
      return List.of();
    }

    @Override
    public List<Applied> apply(List<Setting> wanted, Map<String, SchedulerParameters> expected) {
      if (!wanted.isEmpty()) {
        throw new IllegalArgumentException("a machine without a hypervisor has no settings");
      }
      return List.of();
    }

    @Override
    public Optional<String> refusal(String domain, SchedulerParameters wanted) {
      return Optional.of("a machine without a hypervisor has no scheduler settings");
    }

    @Override
    public String whyMissing(String name) {
      return "is not this machine, which is called %s in experiments"
          .formatted(HypervisorKind.BASE);
    }
  }
}
