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
import java.util.stream.Stream;

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
    return Stream.concat(
            Stream.of(Option.withDefault(MACHINE, new OptionKind.Text(), usual, about).asPlace()),
            login("", "the machine's SSH user").stream())
        .toList();
  }

  /** Returns the options of a login; their names begin with the prefix. */
  public static List<Option> login(String prefix, String user) {
    return Stream.of(
            Option.optional(prefix + USER, new OptionKind.Text(), user),
            Option.optional(prefix + PORT, new OptionKind.Whole(1, LAST_PORT), "its SSH port"),
            Option.optional(prefix + IDENTITY, new OptionKind.File(), "the private key to use"),
            Option.optional(
                prefix + KNOWN_HOSTS, new OptionKind.File(), "the file with its host key"))
        .map(Option::asPlace)
        .toList();
  }

  static OptionalInt port(Options options, String prefix) {
    return options.has(prefix + PORT)
        ? OptionalInt.of(options.integer(prefix + PORT))
        : OptionalInt.empty();
  }

  /** Returns how to reach a machine with the login of a group. */
  public static Connection connection(String address, Options group) {
    return new Connection(
        address, group.text(USER), port(group, ""), group.file(IDENTITY), group.file(KNOWN_HOSTS));
  }

  /** Returns how to reach the machine that a group names; empty if it is this one. */
  public static Optional<Connection> connection(Options group) {
    String address = group.text(MACHINE).orElse(LOCAL);
    return address.equals(LOCAL) || address.equals(HOST)
        ? Optional.empty()
        : Optional.of(connection(address, group));
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
