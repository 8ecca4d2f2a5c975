package io.slicewise.jtl;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import io.slicewise.units.Window;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** Reduces JMeter's result files: CSV or XML, plain or gzipped, told apart by their first bytes. */
public final class Reductions {
  private Reductions() {}

  /**
   * Reduces the samples inside a window.
   *
   * @throws SlicewiseException if the file cannot be read, or nothing in it can
   */
  public static Reduction reduce(Path file, Window window, ReductionOptions options) {
    return reduce(file, Optional.of(window), options);
  }

  /**
   * Reduces all samples.
   *
   * @throws SlicewiseException if the file cannot be read, or nothing in it can
   */
  public static Reduction reduce(Path file, ReductionOptions options) {
    return reduce(file, Optional.empty(), options);
  }

  private static Reduction reduce(Path file, Optional<Window> window, ReductionOptions options) {
    Ledger ledger = new Ledger(window, options, Limits.STANDARD);
    try (InputStream in = new BufferedInputStream(open(file), 1 << 16)) {
      in.mark(1);
      int first = in.read();
      in.reset();
      if (first == '<') {
        new XmlScanner(ledger).read(in);
      } else {
        new CsvScanner(ledger, options).read(in);
      }
    } catch (IOException | UncheckedIOException failure) {
      throw new SlicewiseException(
          ExitCode.NO_VALID_DATA,
          file + " cannot be read: " + failure.getMessage(),
          "Check that the file exists and may be read.",
          failure);
    }
    return ledger.reduction();
  }

  private static InputStream open(Path file) throws IOException {
    InputStream raw = new BufferedInputStream(Files.newInputStream(file), 1 << 16);
    raw.mark(2);
    boolean gzipped = raw.read() == 0x1f && raw.read() == 0x8b;
    raw.reset();
    return gzipped ? new GZIPInputStream(raw, 1 << 16) : raw;
  }
}
