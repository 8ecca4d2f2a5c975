package io.slicewise.jtl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Where the fields of a stretch of CSV end: the places of all delimiters and line feeds that are
 * not quoted, found eight bytes at a time and before anything is made of the fields.
 *
 * <p>Looking for the ends first, and for all rows of the stretch at once, is what makes the reading
 * quick: no word waits for what the one before it said. (Langdale and Lemire, Parsing Gigabytes of
 * JSON per Second, 2019, does the same with wider registers.)
 *
 * <p>A quote counts only as the first letter of a field. A quoted field that has no end here, or
 * one that no field's end follows, ends the search; the rows before it stand.
 */
final class FieldEnds {
  private static final long NEWLINES = Words.all('\n');
  private static final long QUOTES = Words.all('"');
  private static final int BLOCK = 64;
  private static final int SPARE = 16;

  private static final long QUOTE_MARKS = Words.TOPS >>> 1;

  private long[] marks = {};
  private int start;
  private int limit;
  private int[] ends = new int[SPARE];
  private int count;
  private int[] linesInside = new int[16];
  private int linesInsideCount;

  /** Finds the field ends in {@code from..to}; a row begins at {@code from}. */
  void find(byte[] bytes, int from, int to, byte delimiter) {
    if (ends.length < to - from + SPARE) {
      ends = new int[to - from + SPARE];
    }
    count = 0;
    linesInsideCount = 0;
    start = from;
    limit = to;
    int words = (to - from) / 8;
    mark(bytes, words, Words.all(delimiter));
    int at = from;
    while (at >= 0 && at + BLOCK <= from + 8 * words) {
      long ends = 0;
      long quotes = 0;
      int word = (at - from) / 8;
      for (int i = 0; i < 8; i++) {
        long mark = marks[word + i];
        quotes |= mark;
        ends |= Words.bits(mark & Words.TOPS) << (8 * i);
      }
      if ((quotes & QUOTE_MARKS) == 0) {
        append(at, ends);
        at += BLOCK;
      } else {
        at = findAmongQuotes(bytes, at, at + BLOCK, delimiter);
      }
    }
    if (at >= 0) {
      findAmongQuotes(bytes, at, to, delimiter);
    }
  }

  /** Copies the bytes as words and marks field ends in the highest bits, quotes in those below. */
  private void mark(byte[] bytes, int words, long delimiters) {
    if (marks.length < words) {
      marks = new long[words];
    }
    ByteBuffer.wrap(bytes, start, 8 * words)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer()
        .get(marks, 0, words);
    markWords(marks, words, delimiters);
  }

  /** Apart, and without a branch, so that the compiler makes vector instructions of it. */
  private static void markWords(long[] marks, int words, long delimiters) {
    for (int i = 0; i < words; i++) {
      long word = marks[i];
      marks[i] =
          Words.allMatches(word, delimiters)
              | Words.allMatches(word, NEWLINES)
              | Words.allMatches(word, QUOTES) >>> 1;
    }
  }

  /**
   * Goes on byte by byte, at least to {@code stop}, then to the next place where a word begins.
   *
   * @return that place; -1 if the search has ended
   */
  private int findAmongQuotes(byte[] bytes, int from, int stop, byte delimiter) {
    int at = from;
    while (at >= 0 && at < limit && (at < stop || (at - start) % 8 != 0)) {
      int fieldStart = count == 0 ? start : ends[count - 1] + 1;
      if (bytes[at] == '"' && at == fieldStart) {
        at = behindQuotes(bytes, at + 1, limit, delimiter);
      } else {
        if (bytes[at] == delimiter || bytes[at] == '\n') {
          ends[count++] = at;
        }
        at++;
      }
    }
    return at;
  }

  /** Writes eight at once, since a wrong guess of their number costs more than a wasted write. */
  private void append(int at, long marks) {
    long rest = marks;
    int next = count;
    int last = next + Long.bitCount(marks);
    do {
      for (int i = 0; i < 4; i++) {
        ends[next + i] = at + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
      }
      next += 4;
    } while (next < last);
    count = last;
  }

  /** The place behind the closing quote; -1 if there is none, or no field's end behind it. */
  private int behindQuotes(byte[] bytes, int from, int to, byte delimiter) {
    for (int at = from; at + 1 < to; at++) {
      if (bytes[at] == '\n') {
        noteLineInside(at);
      } else if (bytes[at] == '"') {
        byte next = bytes[at + 1];
        boolean returned = next == '\r' && at + 2 < to && bytes[at + 2] == '\n';
        if (next == delimiter || next == '\n' || returned) {
          return at + 1;
        }
        if (next != '"') {
          return -1;
        }
        at++;
      }
    }
    return -1;
  }

  private void noteLineInside(int at) {
    if (linesInsideCount == linesInside.length) {
      linesInside = Arrays.copyOf(linesInside, 2 * linesInside.length);
    }
    linesInside[linesInsideCount++] = at;
  }

  int count() {
    return count;
  }

  /** The place of a field's end: that of its delimiter or line feed. */
  int end(int field) {
    return ends[field];
  }

  int[] ends() {
    return ends;
  }

  /** How many line feeds stand inside quotes. */
  int linesInside() {
    return linesInsideCount;
  }

  /** The place of a line feed inside quotes. */
  int lineInside(int index) {
    return linesInside[index];
  }
}
