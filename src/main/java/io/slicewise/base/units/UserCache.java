package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The user's cache directory, by XDG's rule. */
public final class UserCache {
  private UserCache() {}

  /**
   * Returns a directory in the cache, which is created if it is missing. {@code $HOME} counts, not
   * the home that the system knows; the property {@code slicewise.cache.NAME} gives another place.
   */
  public static Path directory(String name) throws IOException {
    return Files.createDirectories(
        Optional.ofNullable(System.getProperty("slicewise.cache." + name))
            .map(Path::of)
            .orElseGet(() -> base().resolve("slicewise").resolve(name)));
  }

  private static Path base() {
    return environment("XDG_CACHE_HOME")
        .or(() -> environment("HOME").map(home -> home.resolve(".cache")))
        .orElseGet(() -> Path.of(System.getProperty("user.home"), ".cache"));
  }

  private static Optional<Path> environment(String name) {
    return Optional.ofNullable(System.getenv(name)).filter(value -> !value.isBlank()).map(Path::of);
  }
}
