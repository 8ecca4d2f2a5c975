package io.slicewise.run;

import io.slicewise.base.units.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;

/**
 * Disk space that a run reserves for its last lines: on a full disk the file is deleted, so that
 * the journal can still record that the host was restored. Its content is random, because some file
 * systems allocate nothing for compressible data.
 */
final class Reserve {
  private static final int BYTES = 64 * 1024;

  private final Path file;

  Reserve(Path runDirectory) {
    this.file = runDirectory.resolve(".reserve");
  }

  /** Reserves the space, unless it is already reserved. */
  void take() throws IOException {
    if (Files.exists(file) && Files.size(file) == BYTES) {
      return;
    }
    byte[] noise = new byte[BYTES];
    new SecureRandom().nextBytes(noise);
    WholeFile.write(file, noise);
  }

  /** Releases the space; returns whether there was any. */
  boolean release() throws IOException {
    return Files.deleteIfExists(file);
  }
}
