package io.slicewise.lab.shell;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Whole directories. */
public final class Directories {
  private Directories() {}

  /**
   * Removes a directory with everything in it, or a file. What vanishes meanwhile was wanted gone:
   * a database that is just ending takes files of its own away.
   */
  public static void remove(Path directory) throws IOException {
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
          public FileVisitResult visitFileFailed(Path file, IOException fault) throws IOException {
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
  }
}
