package io.slicewise.host;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.RemoteShell;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A kind of hypervisor: how to find it on a host, and its properties that are known without one.
 *
 * <p>Kinds are listed in {@code META-INF/services/io.slicewise.host.HypervisorKind}, in the order
 * in which a host is probed for them. The first is the default for runs without a toolstack.
 */
public interface HypervisorKind {
  /** The name of a machine without a hypervisor, which is its own only domain. */
  String BASE = "base";

  /**
   * Returns whether it stands for a machine without a hypervisor, which an experiment must ask for.
   */
  default boolean bare() {
    return false;
  }

  /**
   * Returns whether a host has it only for an experiment that asks for it: every Linux host has
   * control groups, also one of Xen or libvirt.
   */
  default boolean onRequest() {
    return bare();
  }

  /** Returns the product's name: {@code Xen}. */
  String product();

  /** Returns its tools, as named in {@code toolstack:} of an experiment. */
  List<String> toolstacks();

  /** Returns the name of the domain that drives the hardware; empty if the host itself does. */
  default Optional<String> controlDomain() {
    return Optional.empty();
  }

  /** Returns the word for a part of the host that shares pCPUs. */
  default String poolWord() {
    return "cpupool";
  }

  /** Returns the names of suitable monitors, best first. */
  default List<String> monitors() {
    return List.of();
  }

  /**
   * Finds what the kernel counts of guests; called where {@link #monitors} has a name that is no
   * program's.
   *
   * @param sudo whether its tools are called through {@code sudo -n}
   */
  default Accounts accounts(RemoteShell shell, boolean sudo, List<Domain> domains) {
    throw new UnsupportedOperationException(product() + " counts nothing");
  }

  /** Returns what reports of guests within a window; empty if nothing does. */
  default Optional<GuestWatcher> watcher(
      RemoteShell shell, HostDescription host, List<Domain> domains) {
    return Optional.empty();
  }

  /**
   * Finds it on a host; changes nothing.
   *
   * @param sudo whether its tools are called through {@code sudo -n}
   * @param toolstack one of {@link #toolstacks()}; empty for the active one
   * @throws HypervisorException if the host does not have it, or it does not answer
   * @throws io.slicewise.ssh.RemoteShellException if the host cannot be reached
   */
  Hypervisor probe(RemoteShell shell, boolean sudo, Optional<String> toolstack);

  /** Returns the commands of a toolstack version, for plans and advice. */
  SettingCommands commands(String toolstack, HypervisorVersion version, boolean sudo);

  /** Returns the version to assume for a toolstack of unknown version. */
  HypervisorVersion usualVersion(String toolstack);

  /** The commands that set a target, without access to a host. */
  @FunctionalInterface
  interface SettingCommands {
    /**
     * The commands that set a domain or pool completely, in order. They use its name, because its
     * id changes when a guest restarts. Properties that only a host knows, such as the number of
     * vCPUs, are not checked.
     *
     * @throws HypervisorException if the tool cannot express it, or would misread the domain's name
     */
    List<Command> set(String target, SchedulerParameters wanted);
  }

  /** A program of a host that prints what happens to its guests until a signal ends it. */
  interface GuestWatcher {
    /** The name of the program, for messages. */
    String name();

    /** The program with its arguments. */
    List<String> words();

    /** The signal at which it ends and prints what it has not printed yet. */
    default String signal() {
      return "TERM";
    }

    /** Returns a clause for each of these guests to which something happened, by name. */
    Map<String, String> changes(String printed, List<Domain> domains);
  }
}
