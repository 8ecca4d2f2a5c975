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
 * The samples of a run's trials seen so far. Every sample carries its time, so that two trials of a
 * cell never have the same ones: files that are identical are one measurement, not two.
 */
final class SampleCopies {
  /** Checksum and length of what was compressed. */
  private static final int GZIP_TRAILER = 8;

  private final Map<Fingerprint, List<Path>> seen = new HashMap<>();

  private record Fingerprint(Object cell, long length, long trailer) {}

  /** Returns the earlier file of the same cell that this trial's samples are identical to. */
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

  /** Reads eight bytes of a file that may have gigabytes. */
  private static Fingerprint fingerprint(TrialResult result, Path samples) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(samples.toFile(), "r")) {
      file.seek(file.length() - GZIP_TRAILER);
      List<Object> cell = List.of(result.trial().profile(), result.trial().load());
      return new Fingerprint(cell, file.length(), file.readLong());
    }
  }
}
