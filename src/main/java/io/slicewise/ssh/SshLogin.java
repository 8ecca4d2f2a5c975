package io.slicewise.ssh;

import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How to sign in over SSH, as files describe it. Missing values come from {@code ~/.ssh/config},
 * then SSH's defaults. It has no field for a password.
 *
 * @param identity a private key to offer first, before the agent's keys
 * @param knownHosts the file of known host keys instead of {@code ~/.ssh/known_hosts}
 */
public record SshLogin(
    Optional<String> user, OptionalInt port, Optional<Path> identity, Optional<Path> knownHosts) {
  public static final SshLogin DEFAULT =
      new SshLogin(Optional.empty(), OptionalInt.empty(), Optional.empty(), Optional.empty());

  public static final OptionKind PORT = new OptionKind.Whole(1, 65_535);

  /** The keys of a login in a file. */
  public static final List<Option> OPTIONS =
      List.of(
          Option.optional(
              "user", new OptionKind.Argument(), "default: from ~/.ssh/config, or your user name"),
          Option.optional("port", PORT, "default: from ~/.ssh/config, or 22"),
          Option.optional(
              "identity",
              new OptionKind.File(),
              "a private key file; default: SSH's choice, and the agent"),
          Option.optional(
              "known-hosts",
              new OptionKind.File(),
              "the file of known host keys; default: ~/.ssh/known_hosts"));

  /** Returns a login that leaves nothing to the configuration. */
  public static SshLogin of(String user, int port, Path identity, Path knownHosts) {
    return new SshLogin(
        Optional.of(user), OptionalInt.of(port), Optional.of(identity), Optional.of(knownHosts));
  }

  /**
   * Returns the login that options describe.
   *
   * @param prefix of the keys, such as {@code guest-}
   */
  public static SshLogin of(Options options, String prefix) {
    return new SshLogin(
        options.text(prefix + "user"),
        options.optionalInteger(prefix + "port"),
        options.file(prefix + "identity"),
        options.file(prefix + "known-hosts"));
  }

  /** Returns this login, by that user if it has none. */
  SshLogin by(String other) {
    return new SshLogin(user.or(() -> Optional.of(other)), port, identity, knownHosts);
  }

  /** Refuses an address with another user than the key {@code user} beside it. */
  public static void checkUser(YamlMap map, Options options) {
    String address = options.text("address").orElse("");
    options
        .text("user")
        .filter(user -> address.contains("@") && !address.startsWith(user + "@"))
        .flatMap(user -> map.get("address"))
        .ifPresent(value -> value.refuse("names another user than 'user' does: write it once"));
  }

  /** Writes the keys from which {@link #of(Options, String)} makes the same login. */
  public YamlWriter write(YamlWriter into, String prefix) {
    return into.put(prefix + "user", user)
        .put(prefix + "port", port)
        .put(prefix + "identity", identity)
        .put(prefix + "known-hosts", knownHosts);
  }
}
