package io.slicewise.sweep.imported;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.HexFormat;
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
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException failure) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          file + " cannot be read: " + FileFault.reason(failure),
          "Check that the file exists and is readable.",
          failure);
    } catch (NoSuchAlgorithmException impossible) {
      throw new AssertionError("every Java platform has SHA-256", impossible);
    }
  }
}
