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
 * The SSH connection to a guest, as an experiment's options and as the plan's properties; omitted
 * values come from SSH's configuration.
 */
record GuestLogin(
    String address,
    Optional<String> user,
    OptionalInt port,
    Optional<Path> identity,
    Optional<Path> knownHosts) {
  static List<Option> options() {
    return options(
        Option.needed(
            "guest",
            new OptionKind.Text(),
            "the address of the guest that sorts, or an alias of SSH's configuration"));
  }

  /** Returns the options of a guest that need not be. */
  static List<Option> optional(String about) {
    return options(Option.optional("guest", new OptionKind.Text(), about));
  }

  private static List<Option> options(Option guest) {
    return Stream.concat(
            Stream.of(guest.asPlace()), MachineOptions.login("guest-", "its SSH user").stream())
        .toList();
  }

  static Optional<GuestLogin> of(Options options) {
    return options
        .text("guest")
        .map(
            address ->
                new GuestLogin(
                    address,
                    options.text("guest-user"),
                    MachineOptions.port(options, "guest-"),
                    options.file("guest-identity"),
                    options.file("guest-known-hosts")));
  }

  /** Returns the login of the plan's values; empty text means omitted. */
  static GuestLogin of(
      String address, String user, String port, String identity, String knownHosts) {
    return new GuestLogin(
        address,
        text(user),
        port.isBlank() ? OptionalInt.empty() : OptionalInt.of(Integer.parseInt(port)),
        text(identity).map(Path::of),
        text(knownHosts).map(Path::of));
  }

  private static Optional<String> text(String value) {
    return Optional.of(value).filter(some -> !some.isBlank());
  }

  Map<String, String> properties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("guest", address);
    user.ifPresent(name -> properties.put("guest-user", name));
    port.ifPresent(number -> properties.put("guest-port", Integer.toString(number)));
    identity.ifPresent(file -> properties.put("guest-identity", file.toString()));
    knownHosts.ifPresent(file -> properties.put("guest-known-hosts", file.toString()));
    return properties;
  }

  Connection connection() {
    return new Connection(address, user, port, identity, knownHosts);
  }
}
