package io.slicewise.run.bundle;

import io.slicewise.base.units.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.HexFormat;

/** SHA-256 of a stream. */
final class Digest {
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
