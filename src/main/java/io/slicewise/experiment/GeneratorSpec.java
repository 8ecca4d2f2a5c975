package io.slicewise.experiment;

import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A machine that generates a part of the load, and how to reach it.
 *
 * @param name as written: its name in results and messages
 * @param address a host name, an address, an alias of {@code ~/.ssh/config}, or {@code local} for
 *     this machine
 * @param share its weight when the users are split
 * @param java the program that starts a JVM there
 */
public record GeneratorSpec(
    String name,
    String address,
    Optional<String> user,
    OptionalInt port,
    Optional<Path> identity,
    Optional<Path> knownHosts,
    int share,
    String java) {
  public static final String LOCAL = "local";
  public static final String JAVA = "java";
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:([^@\\s-][^@\\s]*)@)?(?:\\[([^\\s\\]]+)]|([^\\s:@-][^\\s:@]*))(?::([0-9]{1,5}))?");

  /** Returns the machine with an address as users write it; empty if it is none. */
  public static Optional<GeneratorSpec> at(
      String text, Optional<Path> identity, Optional<Path> knownHosts, int share, String java) {
    Matcher parts = ADDRESS.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    return Optional.of(
        new GeneratorSpec(
            text,
            parts.group(2) == null ? parts.group(3) : parts.group(2),
            Optional.ofNullable(parts.group(1)),
            parts.group(4) == null
                ? OptionalInt.empty()
                : OptionalInt.of(Integer.parseInt(parts.group(4))),
            identity,
            knownHosts,
            share,
            java));
  }

  /** Whether it is this machine. */
  public boolean local() {
    return address.equals(LOCAL);
  }

  /** Returns a copy that is reached in another way, such as a machine of an embedded lab. */
  public GeneratorSpec reachedAs(String host, String login, int sshPort, Path key, Path hosts) {
    return new GeneratorSpec(
        name,
        host,
        Optional.of(login),
        OptionalInt.of(sshPort),
        Optional.of(key),
        Optional.of(hosts),
        share,
        java);
  }
}
