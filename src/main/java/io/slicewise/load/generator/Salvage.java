package io.slicewise.load.generator;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.SlicewiseException;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;

/**
 * Completes the samples of a generator that had to be killed: everything up to the last complete
 * line is kept, in a valid gzip file.
 */
public final class Salvage {
  private static final int BLOCK = 1 << 16;

  private Salvage() {}

  /**
   * Completes a file in its place.
   *
   * @throws SlicewiseException if it cannot be read or written
   */
  public static void complete(Path samples) {
    Path whole = samples.resolveSibling(samples.getFileName() + ".whole");
    try {
      try (InputStream in = new BufferedInputStream(Files.newInputStream(samples));
          OutputStream out = new GZIPOutputStream(Files.newOutputStream(whole), BLOCK)) {
        copyLines(in, out);
      }
      Files.move(whole, samples, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException fault) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          "the samples in " + samples + " cannot be completed: " + FileFault.reason(fault),
          "",
          fault);
    }
  }

  private static void copyLines(InputStream in, OutputStream out) throws IOException {
    ByteArrayOutputStream unfinished = new ByteArrayOutputStream();
    try (InputStream lines = new GZIPInputStream(in, BLOCK)) {
      byte[] block = new byte[BLOCK];
      int length;
      while ((length = lines.read(block)) >= 0) {
        int end = length;
        while (end > 0 && block[end - 1] != '\n') {
          end--;
        }
        if (end > 0) {
          unfinished.writeTo(out);
          unfinished.reset();
          out.write(block, 0, end);
        }
        unfinished.write(block, end, length - end);
      }
    } catch (EOFException | ZipException cut) {
      // The generator was killed here; its last, incomplete block is useless.
    }
  }
}
