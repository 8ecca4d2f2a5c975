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
 * Files and directories that their owner alone may read: 0600 and 0700 whatever the umask says. A
 * file system without such permissions is left as it is.
 */
public final class OwnerOnly {
  private static final Set<PosixFilePermission> DIRECTORY =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private OwnerOnly() {}

  /** Makes a directory that was never open to others, not even for a moment. */
  public static Path createDirectory(Path directory) throws IOException {
    return isSupported(directory.toAbsolutePath().getParent())
        ? Files.createDirectory(directory, PosixFilePermissions.asFileAttribute(DIRECTORY))
        : Files.createDirectory(directory);
  }

  /** Closes a file, or a directory with all that is in it, to others. Links are not followed. */
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
      // What another process removed meanwhile needs no permissions.
    }
  }

  private static boolean isSupported(Path path) throws IOException {
    return Files.getFileStore(path).supportsFileAttributeView("posix");
  }
}
