package io.slicewise.ssh;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
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

  private static final int LAST_PORT = 65_535;
  public static final OptionKind PORT = new OptionKind.Whole(1, LAST_PORT);

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

  /** Returns this login with that user and port if it has none. */
  SshLogin by(Optional<String> other, OptionalInt at) {
    return new SshLogin(user.or(() -> other), port.isPresent() ? port : at, identity, knownHosts);
  }

  static boolean isPort(OptionalInt number) {
    return number.isEmpty() || (number.getAsInt() >= 1 && number.getAsInt() <= LAST_PORT);
  }

  /** Refuses an address that is none, or with another user or port than the keys beside it. */
  public static void checkAddress(YamlMap map, Options options) {
    Optional<String> address =
        options.text("address").filter(any -> map.get("address").isPresent());
    if (address.isEmpty()) {
      return;
    }
    YamlValue value = map.get("address").orElseThrow();
    SshLogin beside = of(options, "");
    try {
      SshLogin own = Connection.to(address.get(), DEFAULT).login();
      if (own.user().isPresent()
          && beside.user().isPresent()
          && !own.user().equals(beside.user())) {
        value.refuse("names another user than 'user' does: write it once");
      }
      if (own.port().isPresent()
          && beside.port().isPresent()
          && !own.port().equals(beside.port())) {
        value.refuse("names another port than 'port' does: write it once");
      }
    } catch (SlicewiseException none) {
      value.refuse("must be [user@]host[:port], or an alias of ~/.ssh/config");
    }
  }

  /** Writes the keys from which {@link #of(Options, String)} makes the same login. */
  public YamlWriter write(YamlWriter into, String prefix) {
    return into.put(prefix + "user", user)
        .put(prefix + "port", port)
        .put(prefix + "identity", identity)
        .put(prefix + "known-hosts", knownHosts);
  }
}
