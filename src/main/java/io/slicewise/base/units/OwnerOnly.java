package io.slicewise.base.units;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Files and directories that only their owner may read: 0600 and 0700, regardless of the umask.
 * Does nothing on a file system without such permissions.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private OwnerOnly() {}

  /** Creates a directory that is never accessible to others, not even briefly. */
  public static Path createDirectory(Path directory) throws IOException {
    return isSupported(directory.toAbsolutePath().getParent())
        ? Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY))
        : Files.createDirectory(directory);
  }

  /** Does the same unless the directory exists. */
  public static void createMissing(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      createDirectory(directory);
    }
  }

  /**
   * Removes others' permissions from a file, or a directory and its contents. Links are not
   * followed.
   */
  public static void close(Path fileOrDirectory) throws IOException {
    if (!isSupported(fileOrDirectory)) {
      return;
    }
    try (Stream<Path> all = Files.walk(fileOrDirectory)) {
      for (Path each : (Iterable<Path>) all::iterator) {
        closeOne(each);
      }
    }
  }

  private static void closeOne(Path each) throws IOException {
    try {
      if (!Files.isSymbolicLink(each)) {
        Files.setPosixFilePermissions(each, Files.isDirectory(each) ? DIRECTORY : FILE);
      }
    } catch (NoSuchFileException gone) {
      // Another process may have removed it in the meantime.
    }
  }

  private static boolean isSupported(Path path) throws IOException {
    return Files.getFileStore(path).supportsFileAttributeView("posix");
  }
}
