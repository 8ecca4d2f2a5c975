package io.slicewise.load.jtl;

import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** Bytes from a stream; a truncated or broken gzip stream ends there and reports it. */
final class Compressed extends FilterInputStream {
  private boolean broken;

  Compressed(InputStream stream) {
    super(stream);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int most) throws IOException {
    if (broken) {
      return -1;
    }
    try {
      return in.read(into, at, most);
    } catch (EOFException | ZipException damage) {
      broken = true;
      return -1;
    }
  }

  boolean broken() {
    return broken;
  }
}
