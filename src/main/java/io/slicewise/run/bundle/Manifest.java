package io.slicewise.run.bundle;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

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
  static final String NAME = "manifest.json";
  static final int FORMAT = 1;

  Manifest {
    files = Collections.unmodifiableMap(new TreeMap<>(files));
  }

  /** The size and the checksum of a file. */
  record Sealed(long bytes, String sha256) {}
}
