package io.slicewise.ssh;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How to reach a machine over SSH. Omitted values come from {@code ~/.ssh/config}, then from SSH's
 * defaults. Passwords and passphrases are not supported: keys without a passphrase come from files,
 * all others from an agent.
 *
 * @param address a host name, an IP address, or an alias of {@code ~/.ssh/config}
 * @param identity a private key to offer first, before the agent's keys
 * @param knownHosts the file of known host keys instead of {@code ~/.ssh/known_hosts}
 * @param patience how long to wait for the machine to accept the login
 */
public record Connection(
    String address,
    Optional<String> user,
    OptionalInt port,
    Optional<Path> identity,
    Optional<Path> knownHosts,
    Duration patience) {
  private static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(1);

  public Connection {
    if (address.isBlank() || address.startsWith("-")) {
      throw new IllegalArgumentException("'" + address + "' is not the address of a machine");
    }
  }

  public Connection(
      String address,
      Optional<String> user,
      OptionalInt port,
      Optional<Path> identity,
      Optional<Path> knownHosts) {
    this(address, user, port, identity, knownHosts, DEFAULT_PATIENCE);
  }

  /** Returns a connection to a machine, as described by the SSH configuration and its defaults. */
  public static Connection to(String address) {
    return new Connection(
        address, Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty());
  }

  public Connection as(String name) {
    return new Connection(address, Optional.of(name), port, identity, knownHosts, patience);
  }

  public Connection onPort(int number) {
    return new Connection(address, user, OptionalInt.of(number), identity, knownHosts, patience);
  }

  public Connection withIdentity(Path privateKey) {
    return new Connection(address, user, port, Optional.of(privateKey), knownHosts, patience);
  }

  public Connection withKnownHosts(Path file) {
    return new Connection(address, user, port, identity, Optional.of(file), patience);
  }

  public Connection within(Duration limit) {
    return new Connection(address, user, port, identity, knownHosts, limit);
  }

  /** The OpenSSH command that connects in the same way, with the same configuration. */
  String openSsh() {
    List<String> words = new ArrayList<>(List.of("ssh"));
    port.ifPresent(number -> words.addAll(List.of("-p", Integer.toString(number))));
    identity.ifPresent(file -> words.addAll(List.of("-i", file.toString())));
    knownHosts.ifPresent(file -> words.addAll(List.of("-o", "UserKnownHostsFile=" + file)));
    words.add(user.map(name -> name + "@").orElse("") + address);
    return Command.reading(words).quoted();
  }
}
