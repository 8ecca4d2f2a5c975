package io.slicewise.run;

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
      Seal.Read text = Seal.verify(Files.readString(file));
      return text.state() == Seal.State.SOUND
          ? Optional.of(SweepJson.MAPPER.readValue(file.toFile(), type))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
