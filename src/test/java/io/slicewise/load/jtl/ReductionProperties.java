package io.slicewise.load.jtl;

import io.slicewise.load.jtl.Format.ReaderLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects exactness: whatever is in the file, and however it is cut into chunks and parts, the
 * reduction says what the reference says, in bounded time. Each failure names its seed.
 */
class ReductionProperties {
  private static final int FILES = 500;
  private static final int FILES_AT_NIGHT = 20_000;
  private static final int LONG = 20;
  private static final int LONG_AT_NIGHT = 1_000;
  private static final int WAYS = 5;
  private static final int BROKEN = 1_000;
  private static final int BROKEN_AT_NIGHT = 200_000;

  @TempDir private Path directory;

  @Test
  void agreesWithTheReferenceOnMadeUpFiles() throws IOException {
    run(1, FILES, 0);
  }

  @Test
  void agreesWithTheReferenceOnSomeBrokenFiles() throws IOException {
    run(1_000_000, BROKEN / 20, WAYS);
  }

  @Test
  @Tag("thorough")
  void agreesWithTheReferenceOnBrokenFiles() throws IOException {
    run(1_000_000, BROKEN, WAYS);
  }

  /** Places in a stretch, and what is quoted at its end, hold for files as long as real ones. */
  @Test
  void agreesWithTheReferenceOnFilesOfManyStretches() throws IOException {
    runLong(3_000_000, LONG);
  }

  private void runLong(long firstSeed, int files) throws IOException {
    Judge judge = new Judge(Files.createTempFile(directory, "samples", ".jtl"));
    for (long seed = firstSeed; seed < firstSeed + files; seed++) {
      Random random = new Random(seed);
      byte[] text = JtlText.manyRows(seed);
      try {
        judge.agree(
            random.nextBoolean() ? text : JtlText.mutated(text, random),
            ReaderLimits.STANDARD,
            random);
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }

  /** A header with a broken quote before the end of a chunk, found by the nightly run. */
  @Test
  void agreesOnWhatWasOnceToldByHalfALine() throws IOException {
    run(2_050_771, 1, WAYS);
  }

  @Test
  @Tag("nightly")
  void agreesWithTheReferenceOnAMillionBrokenFiles() throws IOException {
    run(2_000_000, BROKEN_AT_NIGHT, WAYS);
  }

  @Test
  @Tag("nightly")
  void agreesWithTheReferenceOnManyMoreWholeAndLongFiles() throws IOException {
    run(4_000_000, FILES_AT_NIGHT, 0);
    runLong(5_000_000, LONG_AT_NIGHT);
  }

  /** Breaks every made-up file in a few ways, which costs less than to make up new ones. */
  private void run(long firstSeed, int files, int mutations) throws IOException {
    Judge judge = new Judge(Files.createTempFile(directory, "samples", ".jtl"));
    for (long seed = firstSeed; seed < firstSeed + files; seed++) {
      byte[] madeUp = JtlText.of(seed);
      Random random = new Random(seed);
      try {
        for (int i = 0; i < Math.max(1, mutations); i++) {
          judge.agree(mutations == 0 ? madeUp : JtlText.mutated(madeUp, random), random);
        }
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }
}
