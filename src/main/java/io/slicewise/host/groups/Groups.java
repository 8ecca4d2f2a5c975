package io.slicewise.host.groups;

import io.slicewise.host.Accounts;
import io.slicewise.host.Domain;
import io.slicewise.host.GuestWatcher;
import io.slicewise.host.HostDescription;
import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.SettingCommands;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.Optional;

/** A Linux host whose guests are control groups; only where an experiment asks for it. */
public final class Groups implements HypervisorKind {
  static final String TOOLSTACK = "cgroup";
  static final String SCHEDULER = "fair";

  /** Creates the kind; for the service loader. */
  public Groups() {}

  @Override
  public String product() {
    return "groups";
  }

  @Override
  public List<String> toolstacks() {
    return List.of(TOOLSTACK);
  }

  @Override
  public boolean onRequest() {
    return true;
  }

  @Override
  public String poolWord() {
    return "control group";
  }

  @Override
  public Accounts accounts(RemoteShell shell, boolean sudo, List<Domain> domains) {
    return new GroupShares.Groups(GroupAccounts.of(shell, domains));
  }

  @Override
  public List<String> monitors() {
    return List.of("cpuacct");
  }

  @Override
  public Optional<GuestWatcher> watcher(
      RemoteShell shell, HostDescription host, List<Domain> domains) {
    return Optional.of(GroupChanges.of(shell, domains));
  }

  @Override
  public SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo) {
    return new NamedGroups(CgroupVersion.statedIn(version), sudo);
  }

  @Override
  public HypervisorVersion usualVersion(String toolstack) {
    return CgroupVersion.V2.stateIn(HypervisorVersion.of(6, 1));
  }

  @Override
  public Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack) {
    CommandResult mounts = shell.run(Trees.READING);
    if (!mounts.succeeded()) {
      throw HypervisorException.absent(
          "%s has no /proc/mounts.".formatted(shell.address()), "Is this a Linux host?");
    }
    return new GroupsHost(
        this,
        new Inventory(shell, Trees.of(shell.address(), mounts.standardOutput())),
        sudo,
        false);
  }
}
