package io.slicewise.cli.commands;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** Files of a night that other programs read. */
final class NightFiles {
  private NightFiles() {}

  /** Writes a file atomically, readable by every user of this machine. */
  static void publish(Path file, String text) throws IOException {
    Path place = file.toAbsolutePath();
    Files.createDirectories(place.getParent());
    Path draft = Files.createTempFile(place.getParent(), "." + place.getFileName(), ".draft");
    try {
      Files.writeString(draft, text);
      Files.setPosixFilePermissions(draft, PosixFilePermissions.fromString("rw-r--r--"));
      Files.move(draft, place, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } finally {
      Files.deleteIfExists(draft);
    }
  }
}
