package io.slicewise.load.jtl;

import java.io.IOException;

/**
 * The stretch of a file that is being scanned: a buffer that moves along, keeping what its reader
 * has not yet used, and grows only for a row that does not fit. Behind the last byte stands a line
 * feed, so that a search for a row's end always ends.
 */
final class Chunk {
  private final Feed feed;
  private byte[] bytes;
  private int end;
  private long offset;
  private boolean exhausted;
  private int moves;

  /**
   * @param offset of the feed's first byte in the file
   * @param step bytes read at once
   */
  Chunk(Feed feed, long offset, int step) {
    this.feed = feed;
    this.offset = offset;
    bytes = new byte[step + 4 * Words.SLACK];
    bytes[0] = '\n';
  }

  /** The buffer, until the next {@link #advance}. */
  byte[] bytes() {
    return bytes;
  }

  /** Bytes there are. */
  int end() {
    return end;
  }

  /** Whether the file has nothing behind {@link #end}. */
  boolean exhausted() {
    return exhausted;
  }

  /** Counts the calls of {@link #advance}: when it changes, places are no longer what they were. */
  int moves() {
    return moves;
  }

  /** Where a byte of the buffer stands in the file. */
  long offset(int index) {
    return offset + index;
  }

  /** Forgets what lies before {@code from}, which moves to 0, and reads on. */
  void advance(int from) throws IOException {
    moves++;
    int kept = end - from;
    byte[] target = kept > bytes.length / 2 ? new byte[2 * bytes.length] : bytes;
    System.arraycopy(bytes, from, target, 0, kept);
    bytes = target;
    offset += from;
    end = kept;
    int read = feed.read(bytes, end, bytes.length - end - Words.SLACK);
    exhausted = read < 0;
    end += Math.max(0, read);
    bytes[end] = '\n';
  }
}
