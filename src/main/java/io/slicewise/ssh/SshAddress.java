package io.slicewise.ssh;

import io.slicewise.ssh.SshConfig.SshHome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A host and port, so that two spellings of an address can be compared.
 *
 * @param host a host name or an IP address
 * @param port empty if none was given; it then matches any port
 */
public record SshAddress(String host, OptionalInt port) {
  private static final Pattern TEXT =
      Pattern.compile("(?:[^@]*@)?(?:\\[([^]]+)]|([^:]+)|(.*?))(?::(\\d{1,5}))?");

  /**
   * Parses user input: a name, an IP address or an alias of {@code ~/.ssh/config}, optionally with
   * {@code user@} before it and a port after it.
   */
  public static SshAddress typed(String text) {
    return typed(text, SshHome.ofThisUser());
  }

  static SshAddress typed(String text, SshHome home) {
    SshAddress typed = place(text);
    SshConfig config = SshConfig.read(home);
    String alias = typed.host;
    String host =
        config.first(alias, "HostName").map(name -> name.replace("%h", alias)).orElse(alias);
    Optional<Integer> configured = config.first(alias, "Port").map(Integer::parseInt);
    return new SshAddress(
        host,
        typed.port.isPresent()
            ? typed.port
            : configured.map(OptionalInt::of).orElse(OptionalInt.empty()));
  }

  /** Parses user input without the configuration of SSH. */
  static SshAddress place(String text) {
    boolean plainIpv6 = !text.contains("[") && text.chars().filter(c -> c == ':').count() > 1;
    return plainIpv6 ? new SshAddress(text, OptionalInt.empty()) : written(text);
  }

  /** Parses what {@link RemoteShell#address()} returns, such as {@code root@dom0.example:22}. */
  public static SshAddress of(String connection) {
    return written(connection);
  }

  private static SshAddress written(String text) {
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      return new SshAddress(text, OptionalInt.empty());
    }
    String host =
        parts.group(1) != null
            ? parts.group(1)
            : parts.group(2) != null ? parts.group(2) : parts.group(3);
    return new SshAddress(
        host,
        parts.group(4) == null
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(parts.group(4))));
  }

  /** Whether both have the same name or IP address, and no different ports. */
  public boolean leadsWhere(SshAddress other) {
    boolean samePort =
        port.isEmpty() || other.port.isEmpty() || port.getAsInt() == other.port.getAsInt();
    return samePort
        && (host.equalsIgnoreCase(other.host) || !Collections.disjoint(numbers(), other.numbers()));
  }

  private Set<InetAddress> numbers() {
    try {
      return new HashSet<>(Arrays.asList(InetAddress.getAllByName(host)));
    } catch (UnknownHostException noSuchName) {
      return Set.of();
    }
  }
}
