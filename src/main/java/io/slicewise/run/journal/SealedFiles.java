package io.slicewise.run.journal;

import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Files of a run directory that {@link RunDirectory#writeWhole} wrote. */
public final class SealedFiles {
  private SealedFiles() {}

  /**
   * Reads a file; empty where it is missing or damaged, which is the same to whoever can work the
   * value out again.
   */
  public static <T> Optional<T> read(Path file, Class<T> type) {
    try {
      byte[] text = Files.readAllBytes(file);
      return Seal.verify(text).isPresent()
          ? Optional.of(SweepJson.MAPPER.readValue(text, type))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
