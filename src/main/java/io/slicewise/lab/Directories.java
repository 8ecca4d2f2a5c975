package io.slicewise.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Whole directories. */
final class Directories {
  private Directories() {}

  /**
   * Removes a directory with everything in it. What vanishes meanwhile was wanted gone: a database
   * that is just ending takes files of its own away.
   */
  static void remove(Path directory) {
    try {
      Files.walkFileTree(
          directory,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                throws IOException {
              Files.deleteIfExists(file);
              return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException fault)
                throws IOException {
              if (fault instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
              }
              throw fault;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException fault)
                throws IOException {
              Files.deleteIfExists(visited);
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab's directory " + directory + " stays behind", fault);
    }
  }
}
