package io.slicewise.run.bundle;

import io.slicewise.run.RunClaim;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * The first file of a bundle.
 *
 * @param format of the bundle
 * @param run the name of the run
 * @param samples whether every sample is in it
 * @param scrubbed whether names were replaced
 * @param files by path, in order
 */
record Manifest(
    int format, String run, boolean samples, boolean scrubbed, Map<String, Sealed> files) {
  static final String NAME = RunClaim.ARCHIVE_MANIFEST;
  static final int FORMAT = 1;

  /** The most that the files of a bundle may have together. */
  static final long MOST_BYTES = 4L << 30;

  Manifest {
    files = Collections.unmodifiableMap(new TreeMap<>(files == null ? Map.of() : files));
  }

  /** Returns the sum of the files' sizes. */
  long bytes() {
    return files.values().stream()
        .mapToLong(Sealed::bytes)
        .reduce(0, (sum, size) -> size < 0 || sum + size < 0 ? Long.MAX_VALUE : sum + size);
  }

  Stream<String> names() {
    return files.keySet().stream();
  }

  static String size(long bytes) {
    return FileUtils.byteCountToDisplaySize(bytes).replace("bytes", "B");
  }

  /** The size and the checksum of a file. */
  record Sealed(long bytes, String sha256) {}
}
