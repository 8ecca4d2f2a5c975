package io.slicewise.experiment;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Suggestion;
import io.slicewise.host.Hypervisors;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.SshLogin;
import java.time.Duration;
import java.util.Locale;
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

  /** The address of the machine that Slicewise runs on, which needs no login. */
  public static final String THIS_MACHINE = "localhost";

  /**
   * Returns a host that no file describes, with the usual login and timeouts.
   *
   * @throws SlicewiseException if there is no such hypervisor
   */
  public static HostSpec of(String address, Optional<String> hypervisor, boolean sudo) {
    if (hypervisor.filter(name -> !Hypervisors.products().contains(name)).isPresent()) {
      throw SlicewiseException.input(
          "'%s' is not a hypervisor%s"
              .formatted(hypervisor.get(), Suggestion.of(hypervisor.get(), Hypervisors.products())),
          "use one of %s, or leave it out".formatted(String.join(", ", Hypervisors.products())));
    }
    return new HostSpec(
        address,
        address.equals(THIS_MACHINE),
        SshLogin.DEFAULT,
        sudo,
        Optional.empty(),
        hypervisor,
        Optional.empty(),
        HostLimits.DEFAULT,
        Optional.empty());
  }

  /** Returns a copy with that product, which was found on it. */
  public HostSpec with(String product) {
    return new HostSpec(
        address,
        local,
        login,
        sudo,
        cpupool,
        Optional.of(product.toLowerCase(Locale.ROOT)),
        toolstack,
        limits,
        deadMan);
  }

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
