package io.slicewise.jtl;

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
  private static final int FILES = 4_000;
  private static final int MUTANTS = 20_000;
  private static final int MUTANTS_AT_NIGHT = 1_000_000;

  @TempDir private Path directory;

  @Test
  void agreesWithTheReferenceOnMadeUpFiles() throws IOException {
    run(1, FILES, 0);
  }

  @Test
  void agreesWithTheReferenceOnBrokenFiles() throws IOException {
    run(1_000_000, MUTANTS, 1);
  }

  @Test
  @Tag("nightly")
  void agreesWithTheReferenceOnAMillionBrokenFiles() throws IOException {
    run(2_000_000, MUTANTS_AT_NIGHT, 1);
  }

  private void run(long firstSeed, int files, int mutations) throws IOException {
    Judge judge = new Judge(Files.createTempFile(directory, "samples", ".jtl"));
    for (long seed = firstSeed; seed < firstSeed + files; seed++) {
      Random random = new Random(seed);
      byte[] bytes = JtlText.of(random.nextLong());
      for (int i = 0; i < mutations; i++) {
        bytes = JtlText.mutated(bytes, random);
      }
      try {
        judge.agree(bytes, random);
      } catch (AssertionError | RuntimeException failure) {
        throw new AssertionError("seed " + seed + ": " + failure.getMessage(), failure);
      }
    }
  }
}
