package io.slicewise.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** Whole directories. */
final class Directories {
  private Directories() {}

  /** Removes a directory with everything in it. */
  static void remove(Path directory) {
    try (Stream<Path> tree = Files.walk(directory)) {
      for (Path path : tree.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's directory " + directory + " stays behind", fault);
    }
  }
}
