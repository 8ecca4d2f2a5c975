package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;

/** The user's directories, by XDG's rule. */
public enum UserDirectory {
  /** What can be found out again. */
  CACHE(".cache"),
  /** What is remembered from one command to another. */
  STATE(".local/state");

  private final String usual;

  UserDirectory(String usual) {
    this.usual = usual;
  }

  /**
   * Returns a directory of this product, which is created if it is missing. {@code $HOME} counts,
   * not the home that the system knows; the property {@code slicewise.cache.NAME} or {@code
   * slicewise.state.NAME} gives another place.
   */
  public Path of(String name) throws IOException {
    return Files.createDirectories(
        Optional.ofNullable(
                System.getProperty("slicewise." + name().toLowerCase(Locale.ROOT) + "." + name))
            .map(Path::of)
            .orElseGet(() -> base().resolve("slicewise").resolve(name)));
  }

  private Path base() {
    return environment("XDG_" + name() + "_HOME")
        .or(() -> environment("HOME").map(home -> home.resolve(usual)))
        .orElseGet(() -> Path.of(System.getProperty("user.home"), usual));
  }

  private static Optional<Path> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank()).map(Path::of);
  }
}
