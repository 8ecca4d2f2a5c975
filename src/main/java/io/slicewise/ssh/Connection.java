package io.slicewise.ssh;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * How to reach a machine over SSH. Omitted values come from {@code ~/.ssh/config}, then from SSH's
 * defaults. Passwords and passphrases are not supported: keys without a passphrase come from files,
 * all others from an agent.
 *
 * @param address a host name, an IP address, or an alias of {@code ~/.ssh/config}; a user before it
 *     is that of a login without one
 * @param patience how long to wait for the machine to accept the login
 */
public record Connection(String address, SshLogin login, Duration patience) {
  private static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(1);

  public Connection {
    int at = address.lastIndexOf('@');
    login = at < 0 ? login : login.by(address.substring(0, at));
    address = address.substring(at + 1);
    if (address.isBlank() || address.startsWith("-")) {
      throw new IllegalArgumentException("'" + address + "' is not the address of a machine");
    }
  }

  /** Returns a connection to a machine that waits a minute for the login. */
  public static Connection to(String address, SshLogin login) {
    return new Connection(address, login, DEFAULT_PATIENCE);
  }

  /** The OpenSSH command that connects in the same way, with the same configuration. */
  String openSsh() {
    List<String> words = new ArrayList<>(List.of("ssh"));
    login.port().ifPresent(number -> words.addAll(List.of("-p", Integer.toString(number))));
    login.identity().ifPresent(file -> words.addAll(List.of("-i", file.toString())));
    login.knownHosts().ifPresent(file -> words.addAll(List.of("-o", "UserKnownHostsFile=" + file)));
    words.add(login.user().map(name -> name + "@").orElse("") + address);
    return Command.reading(words).quoted();
  }
}
