package io.slicewise.host;

import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.Optional;

/**
 * A kind of hypervisor: how to find it on a host, and what is known of it without one.
 *
 * <p>Kinds are listed in {@code META-INF/services/io.slicewise.host.HypervisorKind}, in the order
 * in which a host is probed for them. The first is the one of runs that name no toolstack.
 */
public interface HypervisorKind {
  /** The name that people know it by: {@code Xen}. */
  String product();

  /** The tools it can be driven through, as {@code toolstack:} of an experiment names them. */
  List<String> toolstacks();

  /** The name of the domain that drives its hardware; empty if its host itself does. */
  default Optional<String> controlDomain() {
    return Optional.empty();
  }

  /** The monitors that can watch it, best first, by their names. */
  default List<String> monitors() {
    return List.of();
  }

  /**
   * Finds it on a host; changes nothing.
   *
   * @param sudo whether its tools are called through {@code sudo -n}
   * @param toolstack one of {@link #toolstacks()}; empty = whichever rules the host
   * @throws HypervisorException if the host does not have it, or it does not answer
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   */
  Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack);

  /** The commands of a toolstack of that version, for plans and advice that people read. */
  SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo);

  /** The version to assume where a toolstack is named without one. */
  HypervisorVersion usualVersion(String toolstack);
}
