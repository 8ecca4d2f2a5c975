package io.slicewise.experiment;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Paths in a file are relative to the file; {@code ~/} is the user's home. */
final class Paths {
  private Paths() {}

  static Path absolute(Path file, String path) {
    return resolve(file, path).toAbsolutePath().normalize();
  }

  /**
   * Returns the path relative to the working directory, for messages.
   *
   * @throws InvalidPathException if it cannot be a path
   */
  static Path resolve(Path file, String path) {
    if (path.startsWith("~/")) {
      return Path.of(System.getProperty("user.home")).resolve(path.substring(2));
    }
    return file.resolveSibling(path).normalize();
  }
}
