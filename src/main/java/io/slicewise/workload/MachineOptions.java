package io.slicewise.workload;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlWriter;
import io.slicewise.ssh.Connection;
import io.slicewise.ssh.SshLogin;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The options of a group that name the machine on which something is read: the experiment's host,
 * this machine, or another one over SSH; and those of the guest on which a workload runs.
 */
public final class MachineOptions {
  public static final String HOST = "host";
  public static final String LOCAL = "local";

  /** The guest on which a workload runs. */
  static final String GUEST = "guest";

  private static final String PREFIX = "guest-";
  private static final String MACHINE = "machine";

  private MachineOptions() {}

  /** Returns the options; {@code usual} is the machine if the file names none. */
  public static List<Option> options(String usual, String about) {
    Option machine = Option.withDefault(MACHINE, new OptionKind.Text(), usual, about).asPlace();
    return Option.join(List.of(machine), login("", "the machine's SSH user"));
  }

  /** Returns the options of the guest on which a workload runs: its address and login. */
  static List<Option> ofGuest(Option address) {
    return Option.join(List.of(address.asPlace()), login(PREFIX, "its SSH user"));
  }

  /**
   * Returns the options of a login.
   *
   * @param prefix of their names
   * @param user what the user is
   */
  public static List<Option> login(String prefix, String user) {
    return List.of(
        Option.optional(prefix + "user", new OptionKind.Text(), user).asPlace(),
        Option.optional(prefix + "port", SshLogin.PORT, "its SSH port").asPlace(),
        Option.optional(prefix + "identity", new OptionKind.File(), "the private key to use")
            .asPlace(),
        Option.optional(prefix + "known-hosts", new OptionKind.File(), "the file with its host key")
            .asPlace());
  }

  /** Returns how to reach the machine that a group names; empty if it is this one. */
  public static Optional<Connection> connection(Options group) {
    return group
        .text(MACHINE)
        .filter(address -> !address.equals(LOCAL) && !address.equals(HOST))
        .map(address -> Connection.to(address, SshLogin.of(group, "")));
  }

  /** Returns how to reach the guest on which a workload runs; empty without one. */
  static Optional<Connection> guest(Options options) {
    return options.text(GUEST).map(address -> Connection.to(address, SshLogin.of(options, PREFIX)));
  }

  /** Returns the options that describe such a guest, as properties of a plan. */
  static Map<String, String> properties(Connection guest) {
    Map<String, String> properties = new LinkedHashMap<>();
    guest
        .login()
        .write(new YamlWriter().put(GUEST, guest.address()), PREFIX)
        .map()
        .forEach((key, value) -> properties.put(key, value.toString()));
    return properties;
  }

  /**
   * Returns the options with the host in the place of the word {@code host}, in every group.
   *
   * @param host empty if it is this machine
   */
  public static Map<String, Object> onHost(
      Map<String, Object> options, Optional<String> host, SshLogin login) {
    Map<String, Object> all = new LinkedHashMap<>(options);
    all.replaceAll(
        (name, value) -> {
          if (!(value instanceof Map<?, ?> group) || !HOST.equals(group.get(MACHINE))) {
            return value;
          }
          Map<String, Object> there = login.write(new YamlWriter(), "").map();
          there.putAll(new Options(options).group(name).orElseThrow().values());
          there.put(MACHINE, host.orElse(LOCAL));
          return there;
        });
    return all;
  }
}
