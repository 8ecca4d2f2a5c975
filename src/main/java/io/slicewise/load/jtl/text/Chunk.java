package io.slicewise.load.jtl.text;

import java.io.IOException;

/**
 * The part of a file that is being scanned: a moving buffer that keeps unread bytes and grows only
 * for a row that does not fit. The last byte is followed by a line feed, so that every search for a
 * row's end terminates.
 */
public final class Chunk {
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
  public Chunk(Feed feed, long offset, int step) {
    this.feed = feed;
    this.offset = offset;
    bytes = new byte[step + 4 * Words.SLACK];
    bytes[0] = '\n';
  }

  /** The buffer, until the next {@link #advance}. */
  public byte[] bytes() {
    return bytes;
  }

  /** The number of bytes. */
  public int end() {
    return end;
  }

  /** Whether the file ends at {@link #end}. */
  public boolean exhausted() {
    return exhausted;
  }

  /** The number of calls of {@link #advance}: if it has changed, positions are no longer valid. */
  public int moves() {
    return moves;
  }

  /** The position in the file of a byte of the buffer. */
  public long offset(int index) {
    return offset + index;
  }

  /** Drops everything before {@code from}, which moves to 0, and reads on. */
  public void advance(int from) throws IOException {
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

  /** A source of consecutive bytes. */
  public interface Feed {
    /**
     * Reads at least one byte and at most {@code most}; -1 at the end and afterwards.
     *
     * @param most at least 1
     */
    public int read(byte[] into, int at, int most) throws IOException;
  }
}
