package io.slicewise.sweep.imported;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Sha256;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Detects result files with identical content, which are one measurement. */
final class Copies {
  private final Map<String, Path> seen = new HashMap<>();

  /**
   * Adds a file.
   *
   * @throws SlicewiseException if a file with the same content was added before, or it cannot be
   *     read
   */
  void refuse(Path file) {
    Path first = seen.putIfAbsent(hash(file), file);
    if (first != null) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          file + " is identical to " + first + ": both are one measurement, which counts once",
          "Find the file of the other repetition, or omit it.");
    }
  }

  private static String hash(Path file) {
    try {
      return Sha256.of(file);
    } catch (IOException failure) {
      throw FileFault.unreadable(file, failure);
    }
  }
}
