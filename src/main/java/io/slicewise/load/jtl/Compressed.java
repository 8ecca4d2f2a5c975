package io.slicewise.load.jtl;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;

/** Bytes from a gzip stream; a truncated or broken stream ends there and reports it. */
final class Compressed implements Feed {
  private final InputStream stream;
  private boolean broken;

  Compressed(InputStream stream) {
    this.stream = stream;
  }

  @Override
  public int read(byte[] into, int at, int most) throws IOException {
    if (broken) {
      return -1;
    }
    try {
      return stream.read(into, at, most);
    } catch (EOFException | ZipException damage) {
      broken = true;
      return -1;
    }
  }

  /** A feed that starts with bytes already read. */
  Feed after(byte[] head, int length) {
    int[] given = {0};
    return (into, at, most) -> {
      if (given[0] == length) {
        return read(into, at, most);
      }
      int bytes = Math.min(most, length - given[0]);
      System.arraycopy(head, given[0], into, at, bytes);
      given[0] += bytes;
      return bytes;
    };
  }

  boolean broken() {
    return broken;
  }
}
