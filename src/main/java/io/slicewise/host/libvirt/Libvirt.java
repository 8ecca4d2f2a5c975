package io.slicewise.host.libvirt;

import io.slicewise.host.Hypervisor;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.HypervisorKind;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.host.SettingCommands;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
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
  public List<String> monitors() {
    return List.of("schedstat");
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
}
