package io.slicewise.ssh;

import io.slicewise.base.units.SlicewiseException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How to reach a machine over SSH. Omitted values come from {@code ~/.ssh/config}, then from SSH's
 * defaults. Passwords and passphrases are not supported: keys without a passphrase come from files,
 * all others from an agent.
 *
 * @param address a host name, an IP address, or an alias of {@code ~/.ssh/config}; a user before it
 *     and a port after it are those of a login without them
 * @param patience how long to wait for the machine to accept the login
 */
public record Connection(String address, SshLogin login, Duration patience) {
  /** A name, or an address of IPv4 or IPv6; the latter has more than one colon. */
  private static final Pattern NAME =
      Pattern.compile("(?!-)(?:[^\\s:@]+|[^\\s@]*:[^\\s@]*:[^\\s@]*)");

  private static final Duration DEFAULT_PATIENCE = Duration.ofMinutes(1);

  public Connection {
    int at = address.lastIndexOf('@');
    SshAddress place = SshAddress.place(address.substring(at + 1));
    login =
        login.by(at < 0 ? Optional.empty() : Optional.of(address.substring(0, at)), place.port());
    if (!NAME.matcher(place.host()).matches() || !SshLogin.isPort(login.port())) {
      throw SlicewiseException.input(
          "'%s' is not the address of a machine".formatted(address),
          "write [user@]host[:port], [user@][IPv6 address]:port, or an alias of ~/.ssh/config");
    }
    address = place.host();
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
