package io.slicewise.lab.guest;

import io.slicewise.base.units.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;

/** Creates random passwords, and files of mode 600 to pass them. */
final class PrivateFiles {
  private static final int BYTES = 24;
  private static final SecureRandom RANDOM = new SecureRandom();

  private PrivateFiles() {}

  static Secret randomSecret() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Secret.of(HexFormat.of().formatHex(bytes));
  }

  /** Writes a file that only its owner can read at any time; replaces an existing one. */
  static void write(Path file, String text) throws IOException {
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(file, text);
  }
}
