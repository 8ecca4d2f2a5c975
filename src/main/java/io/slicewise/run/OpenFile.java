package io.slicewise.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A file of a run directory that this process has open: the directory may be moved or removed
 * meanwhile, and the file can still be written.
 *
 * @param path where it was opened
 * @param key of the file itself, which a move within a file system keeps; empty if there is none
 */
public record OpenFile(Path path, Optional<Object> key) {
  private static final Path OPEN_FILES = Path.of("/proc/self/fd");

  static OpenFile of(Path path) {
    return new OpenFile(path, key(path));
  }

  private static Optional<Object> key(Path path) {
    try {
      return Optional.ofNullable(Files.readAttributes(path, BasicFileAttributes.class).fileKey());
    } catch (IOException unreadable) {
      return Optional.empty();
    }
  }

  /** Returns whether the path still leads to the file; what cannot be read is taken to be there. */
  public boolean isInPlace() {
    return !Files.notExists(path)
        && (key.isEmpty() || key(path).isEmpty() || key.equals(key(path)));
  }

  /**
   * Returns the directory in which the file is now; empty if it was removed, or that is unknown.
   */
  public Optional<Path> directoryNow() {
    try (Stream<Path> open = Files.list(OPEN_FILES)) {
      return open.flatMap(link -> target(link).stream())
          .filter(target -> target.endsWith(path.getFileName()) && key(target).equals(key))
          .findFirst()
          .map(Path::getParent);
    } catch (IOException notHere) {
      return Optional.empty();
    }
  }

  private static Optional<Path> target(Path link) {
    try {
      return Optional.of(Files.readSymbolicLink(link));
    } catch (IOException closed) {
      return Optional.empty();
    }
  }

  /** Returns what happened to the directory, as a sentence without an end. */
  public String gone() {
    Path directory = path.toAbsolutePath().normalize().getParent();
    return directoryNow()
        .map(now -> "the run directory %s was moved to %s".formatted(directory, now))
        .orElse("the run directory %s was removed, and with it all results".formatted(directory));
  }
}
