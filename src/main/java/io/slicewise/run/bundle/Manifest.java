package io.slicewise.run.bundle;

import io.slicewise.base.units.Sha256;
import io.slicewise.run.RunClaim;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.Collections;
import java.util.HexFormat;
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

  /** SHA-256 of a stream. */
  static final class Digest {
    private Digest() {}

    /** Copies a stream, at most {@code most} bytes of it, and returns what was copied. */
    static Manifest.Sealed copy(InputStream from, OutputStream to, long most) throws IOException {
      MessageDigest sha = Sha256.begin();
      InputStream in = new DigestInputStream(from, sha);
      byte[] buffer = new byte[1 << 16];
      long copied = 0;
      while (copied <= most) {
        int read = in.read(buffer, 0, (int) Math.min(buffer.length, most - copied + 1));
        if (read <= 0) {
          break;
        }
        to.write(buffer, 0, read);
        copied += read;
      }
      return new Manifest.Sealed(copied, HexFormat.of().formatHex(sha.digest()));
    }
  }
}
