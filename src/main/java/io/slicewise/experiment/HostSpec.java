package io.slicewise.experiment;

import io.slicewise.host.Hypervisors;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.SshLogin;
import java.time.Duration;
import java.util.Optional;

/**
 * How to reach the host.
 *
 * @param address {@code [user@]host[:port]}, or an alias of {@code ~/.ssh/config}; {@code
 *     localhost} with {@code local} runs commands on this machine without SSH
 * @param sudo whether the hypervisor's tools are called through {@code sudo -n}
 * @param cpupool the pool whose domains are tuned; empty = the pool of each domain
 * @param limits timeouts
 * @param hypervisor the required product, in lower case; empty = probed
 * @param toolstack the toolstack, such as {@code xl}; empty = probed
 * @param deadMan after how long without a heartbeat the host restores itself; empty = never
 */
public record HostSpec(
    String address,
    boolean local,
    SshLogin login,
    boolean sudo,
    Optional<String> cpupool,
    Optional<String> hypervisor,
    Optional<String> toolstack,
    HostLimits limits,
    Optional<Duration> deadMan) {

  /** Returns the configured toolstack, or the first one of the configured hypervisor. */
  public Optional<String> statedToolstack() {
    return toolstack.or(() -> hypervisor.map(Hypervisors::firstToolstack));
  }

  /** Returns whether the address is that of the machine that Slicewise runs on. */
  public boolean isThisMachine() {
    String machine = Connection.to(address, login).address();
    return local
        || machine.equals("localhost")
        || machine.equals("::1")
        || machine.startsWith("127.");
  }

  /**
   * Timeouts of a host.
   *
   * @param signIn from dialling until logged in
   * @param command for one short command, of the toolstack or another
   */
  public record HostLimits(Duration signIn, Duration command) {
    /** Limits that a busy or emulated Domain-0 keeps; a healthy host answers much sooner. */
    public static final HostLimits DEFAULT =
        new HostLimits(Duration.ofMinutes(1), Duration.ofMinutes(2));
  }
}
