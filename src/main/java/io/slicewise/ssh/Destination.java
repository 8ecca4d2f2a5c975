package io.slicewise.ssh;

import io.slicewise.ssh.SshConfig.SshHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/**
 * The destination of a {@link Connection}, after applying the SSH configuration.
 *
 * @param keyName the name of its host key in known_hosts
 * @param identities private key files to offer, first choice first
 * @param jumps the machines to go through, nearest first
 * @param algorithms the library's names of algorithm lists, and the lists as ssh_config(5) writes
 *     them; old hosts need {@code +ssh-rsa} and similar
 */
record Destination(
    String host,
    int port,
    String user,
    String keyName,
    List<Path> identities,
    List<Path> knownHosts,
    List<Connection> jumps,
    Map<String, String> algorithms) {
  private static final int SSH_PORT = 22;

  private static final Map<String, List<String>> ALGORITHM_LISTS =
      Map.of(
          "KexAlgorithms", List.of("kex"),
          "HostKeyAlgorithms", List.of("server_host_key"),
          "PubkeyAcceptedAlgorithms", List.of("PubkeyAcceptedAlgorithms"),
          "PubkeyAcceptedKeyTypes", List.of("PubkeyAcceptedAlgorithms"),
          "Ciphers", List.of("cipher.c2s", "cipher.s2c"),
          "MACs", List.of("mac.c2s", "mac.s2c"));

  static Destination of(Connection asked, SshConfig config, SshHome home) {
    String alias = asked.address();
    String host =
        config.first(alias, "HostName").map(name -> name.replace("%h", alias)).orElse(alias);
    int port =
        asked.login().port().isPresent()
            ? asked.login().port().getAsInt()
            : config.first(alias, "Port").map(Integer::parseInt).orElse(SSH_PORT);
    String user = asked.login().user().or(() -> config.first(alias, "User")).orElse(home.user());
    return new Destination(
        host,
        port,
        user,
        config.first(alias, "HostKeyAlias").orElseGet(() -> keyName(host, port)),
        identities(asked, config, home),
        knownHosts(asked, config, home),
        jumps(asked, config),
        algorithms(alias, config));
  }

  /** {@code root@dom0.example:22}, for messages. */
  String text() {
    return user + "@" + host + ":" + port;
  }

  private static String keyName(String host, int port) {
    String name = host.toLowerCase(Locale.ROOT);
    return port == SSH_PORT ? name : "[" + name + "]:" + port;
  }

  private static List<Path> identities(Connection asked, SshConfig config, SshHome home) {
    if (asked.login().identity().isPresent()) {
      return List.of(asked.login().identity().get());
    }
    List<Path> configured =
        config.all(asked.address(), "IdentityFile").stream().map(home::expand).toList();
    Stream<Path> files =
        configured.isEmpty()
            ? Stream.of("id_ed25519", "id_ecdsa", "id_rsa").map(home.directory()::resolve)
            : configured.stream();
    return files.filter(Files::isRegularFile).filter(Files::isReadable).toList();
  }

  private static List<Path> knownHosts(Connection asked, SshConfig config, SshHome home) {
    if (asked.login().knownHosts().isPresent()) {
      return List.of(asked.login().knownHosts().get());
    }
    List<Path> files = new ArrayList<>();
    config
        .first(asked.address(), "UserKnownHostsFile")
        .map(names -> Arrays.stream(names.split("\\s+")).map(home::expand).toList())
        .ifPresentOrElse(files::addAll, () -> files.add(home.directory().resolve("known_hosts")));
    files.add(home.systemKnownHosts());
    return List.copyOf(files);
  }

  private static List<Connection> jumps(Connection asked, SshConfig config) {
    String value = config.first(asked.address(), "ProxyJump").orElse("none");
    return value.equals("none")
        ? List.of()
        : Arrays.stream(value.split("\\s*,\\s*")).map(hop -> hop(hop, asked)).toList();
  }

  private static Connection hop(String text, Connection asked) {
    String rest = text.startsWith("ssh://") ? text.substring("ssh://".length()) : text;
    int at = rest.lastIndexOf('@');
    String place = rest.substring(at + 1);
    int colon = place.lastIndexOf(':');
    boolean hasPort = colon > 0 && !place.endsWith("]");
    return new Connection(
        (hasPort ? place.substring(0, colon) : place).replaceAll("[\\[\\]]", ""),
        new SshLogin(
            at < 0 ? Optional.empty() : Optional.of(rest.substring(0, at)),
            hasPort
                ? OptionalInt.of(Integer.parseInt(place.substring(colon + 1)))
                : OptionalInt.empty(),
            asked.login().identity(),
            asked.login().knownHosts()),
        asked.patience());
  }

  private static Map<String, String> algorithms(String alias, SshConfig config) {
    Map<String, String> lists = new LinkedHashMap<>();
    ALGORITHM_LISTS.forEach(
        (key, names) ->
            config
                .first(alias, key)
                .ifPresent(value -> names.forEach(name -> lists.put(name, value))));
    return Map.copyOf(lists);
  }
}
