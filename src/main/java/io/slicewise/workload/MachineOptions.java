package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.ssh.Connection;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The options of a group that name the machine on which something is read: the experiment's host,
 * this machine, or another one over SSH.
 */
public final class MachineOptions {
  public static final String HOST = "host";
  public static final String LOCAL = "local";

  private static final String MACHINE = "machine";
  private static final String USER = "user";
  private static final String PORT = "port";
  private static final String IDENTITY = "identity";
  private static final String KNOWN_HOSTS = "known-hosts";
  private static final int LAST_PORT = 65_535;

  private MachineOptions() {}

  /** Returns the options; {@code usual} is the machine if the file names none. */
  public static List<Option> options(String usual, String about) {
    return List.of(
        Option.withDefault(MACHINE, new OptionKind.Text(), usual, about).asPlace(),
        Option.optional(USER, new OptionKind.Text(), "the machine's SSH user").asPlace(),
        Option.optional(PORT, new OptionKind.Whole(1, LAST_PORT), "its SSH port").asPlace(),
        Option.optional(IDENTITY, new OptionKind.File(), "the private key to use").asPlace(),
        Option.optional(KNOWN_HOSTS, new OptionKind.File(), "the file with its host key")
            .asPlace());
  }

  /** Returns how to reach the machine that a group names; empty if it is this one. */
  public static Optional<Connection> connection(Options group) {
    String address = group.text(MACHINE).orElse(LOCAL);
    if (address.equals(LOCAL) || address.equals(HOST)) {
      return Optional.empty();
    }
    Connection connection = Connection.to(address);
    connection = group.text(USER).map(connection::as).orElse(connection);
    connection = group.has(PORT) ? connection.onPort(group.integer(PORT)) : connection;
    connection = group.file(IDENTITY).map(connection::withIdentity).orElse(connection);
    return Optional.of(group.file(KNOWN_HOSTS).map(connection::withKnownHosts).orElse(connection));
  }

  /**
   * Returns the options with the host in the place of the word {@code host}, in every group.
   *
   * @param host empty if it is this machine
   */
  public static Map<String, Object> onHost(
      Map<String, Object> options,
      Optional<String> host,
      Optional<String> user,
      OptionalInt port,
      Optional<Path> identity,
      Optional<Path> knownHosts) {
    Map<String, Object> all = new LinkedHashMap<>(options);
    all.replaceAll(
        (name, value) -> {
          if (!(value instanceof Map<?, ?> group) || !HOST.equals(group.get(MACHINE))) {
            return value;
          }
          Map<String, Object> there =
              new LinkedHashMap<>(new Options(options).group(name).orElseThrow().values());
          there.put(MACHINE, host.orElse(LOCAL));
          user.ifPresent(login -> there.putIfAbsent(USER, login));
          port.ifPresent(number -> there.putIfAbsent(PORT, (long) number));
          identity.ifPresent(file -> there.putIfAbsent(IDENTITY, file.toString()));
          knownHosts.ifPresent(file -> there.putIfAbsent(KNOWN_HOSTS, file.toString()));
          return there;
        });
    return all;
  }
}
