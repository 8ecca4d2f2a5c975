package io.slicewise.load.jtl.text;

import java.util.Arrays;

/**
 * Splits a CSV row into fields byte by byte, for rows that the fast path rejects: broken ones,
 * headers, and the few with doubled quotes, signs or dates. As written by JMeter, a field that
 * begins with a quote is quoted and may contain delimiters, line ends and doubled quotes.
 */
public final class Fields {
  /** How splitting ended. */
  public enum Cut {
    /** At a line end, or at the end of the last line. */
    WHOLE,
    /** The bytes ended first. */
    OPEN,
    /** A closing quote was followed by neither delimiter nor line end. */
    BROKEN
  }

  private int[] starts = new int[32];
  private int[] ends = new int[32];
  private boolean[] doubled = new boolean[32];
  private boolean anyDoubled;
  private int count;
  private int next;
  private byte[] bytes = {};

  /**
   * Splits a row.
   *
   * @param last whether the bytes end with the file, so that a row needs no line end
   */
  public Cut cut(byte[] source, int from, int to, byte delimiter, boolean last) {
    bytes = source;
    count = 0;
    anyDoubled = false;
    int at = from;
    while (true) {
      makeRoom();
      at = at < to && bytes[at] == '"' ? quoted(at + 1, to) : plain(at, to, delimiter);
      boolean ends = at == to || (at + 1 == to && bytes[at] == '\r');
      if (at > to || (ends && !last)) {
        return Cut.OPEN;
      }
      if (!ends && bytes[at] == '\r' && bytes[at + 1] == '\n') {
        at++;
      }
      count++;
      if (ends || bytes[at] == '\n') {
        next = ends ? to : at + 1;
        if (anyDoubled) {
          undouble(from);
        }
        return Cut.WHOLE;
      }
      if (bytes[at] != delimiter) {
        return Cut.BROKEN;
      }
      at++;
    }
  }

  private void makeRoom() {
    if (count == starts.length) {
      starts = Arrays.copyOf(starts, 2 * count);
      ends = Arrays.copyOf(ends, 2 * count);
      doubled = Arrays.copyOf(doubled, 2 * count);
    }
  }

  private int plain(int from, int to, byte delimiter) {
    int at = from;
    while (at < to && bytes[at] != delimiter && bytes[at] != '\n') {
      at++;
    }
    boolean returned = (at == to || bytes[at] == '\n') && at > from && bytes[at - 1] == '\r';
    set(count, from, returned ? at - 1 : at, false);
    return at;
  }

  /** Returns the position after the closing quote; one after the last if there is none. */
  private int quoted(int from, int to) {
    boolean twins = false;
    int at = from;
    while (at < to) {
      if (bytes[at] != '"') {
        at++;
      } else if (at + 1 < to && bytes[at + 1] == '"') {
        twins = true;
        at += 2;
      } else {
        set(count, from, at, twins);
        anyDoubled |= twins;
        return at + 1;
      }
    }
    return to + 1;
  }

  private void set(int field, int start, int end, boolean twins) {
    starts[field] = start;
    ends[field] = end;
    doubled[field] = twins;
  }

  public int count() {
    return count;
  }

  /** The position after the row's line end. */
  public int next() {
    return next;
  }

  public int start(int field) {
    return starts[field];
  }

  public int end(int field) {
    return ends[field];
  }

  /** The bytes of the fields: the source or, after doubled quotes were decoded, a copy. */
  public byte[] bytes() {
    return bytes;
  }

  /** Replaces doubled quotes by single ones, in a copy. */
  private void undouble(int from) {
    byte[] copy = new byte[next - from + Words.SLACK];
    int length = 0;
    for (int field = 0; field < count; field++) {
      int start = length;
      for (int at = starts[field]; at < ends[field]; at++) {
        copy[length++] = bytes[at];
        at += doubled[field] && bytes[at] == '"' ? 1 : 0;
      }
      set(field, start, length, false);
    }
    bytes = copy;
  }
}
