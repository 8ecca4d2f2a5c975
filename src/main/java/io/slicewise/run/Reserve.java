package io.slicewise.run;

import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Room on the disk that a run keeps for its last lines: on a full disk the file is given up, so
 * that the journal can still say that the host was restored. Its content is random, since some file
 * systems store nothing for what they can compress.
 */
final class Reserve {
  private static final int BYTES = 64 * 1024;

  private final Path file;

  Reserve(Path runDirectory) {
    this.file = runDirectory.resolve(".reserve");
  }

  /** Takes the room, unless it is taken already. */
  void take() throws IOException {
    if (Files.exists(file) && Files.size(file) == BYTES) {
      return;
    }
    byte[] noise = new byte[BYTES];
    new SecureRandom().nextBytes(noise);
    WholeFile.write(file, noise);
  }

  /** Gives the room back; returns whether there was any. */
  boolean release() throws IOException {
    return Files.deleteIfExists(file);
  }
}
