package io.slicewise.run;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Detects copied samples. Every sample has its time, so two trials of a cell never have the same
 * samples: identical files are one measurement.
 */
final class SampleCopies {
  /** The checksum and length of the uncompressed data. */
  private static final int GZIP_TRAILER = 8;

  private final Map<Fingerprint, List<Path>> seen = new HashMap<>();

  private record Fingerprint(Object cell, long length, long trailer) {}

  /** Returns an earlier identical file of the same cell, if any. */
  Optional<Path> original(TrialResult result, Path samples) throws IOException {
    boolean loaded = result.load().map(load -> load.samples() > 0).orElse(false);
    if (!loaded || !Files.isRegularFile(samples) || Files.size(samples) < GZIP_TRAILER) {
      return Optional.empty();
    }
    List<Path> alike =
        seen.computeIfAbsent(fingerprint(result, samples), none -> new ArrayList<>());
    for (Path earlier : alike) {
      if (Files.mismatch(earlier, samples) < 0) {
        return Optional.of(earlier);
      }
    }
    alike.add(samples);
    return Optional.empty();
  }

  /** Reads eight bytes of a possibly very large file. */
  private static Fingerprint fingerprint(TrialResult result, Path samples) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(samples.toFile(), "r")) {
      file.seek(file.length() - GZIP_TRAILER);
      List<Object> cell = List.of(result.trial().profile(), result.trial().load());
      return new Fingerprint(cell, file.length(), file.readLong());
    }
  }
}
