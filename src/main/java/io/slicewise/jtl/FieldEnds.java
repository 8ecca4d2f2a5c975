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
  private static final int USUAL = 14;
  private static final int SPARE = 1 + 2 * USUAL;

  private static final long QUOTE_MARKS = Words.TOPS >>> 1;

  private long[] marks = {};
  private int start;

  /** The place behind the last quoted field; -1 when one had no end. */
  private int done;

  private int[] ends = new int[SPARE];
  private int count;
  private int[] linesInside = new int[16];
  private int linesInsideCount;

  /** Finds the field ends in {@code from..to}; a row begins at {@code from}. */
  void find(byte[] bytes, int from, int to, byte delimiter) {
    if (ends.length < to - from + SPARE) {
      ends = new int[to - from + SPARE];
    }
    count = 1;
    ends[0] = from - 1;
    linesInsideCount = 0;
    start = from;
    done = from;
    int words = (to - from) / 8;
    mark(bytes, words, Words.all(delimiter));
    int at = from;
    for (int word = 0; word + 8 <= words && done >= 0; word += 8) {
      long fieldEnds = 0;
      long quotes = 0;
      for (int i = 0; i < 8; i++) {
        long mark = marks[word + i];
        quotes |= mark;
        fieldEnds |= Words.bits(mark & Words.TOPS) << (8 * i);
      }
      if ((quotes & QUOTE_MARKS) == 0 && done <= at) {
        append(at, fieldEnds);
      } else if (done < at + BLOCK) {
        findAmongQuotes(bytes, at, fieldEnds, to, delimiter);
      }
      at += BLOCK;
    }
    finish(bytes, Math.max(at, done), to, delimiter);
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

  /** Takes the field ends of a block that are not quoted, one quoted field after the other. */
  private void findAmongQuotes(byte[] bytes, int at, long fieldEnds, int to, byte delimiter) {
    long left = fieldEnds & notBefore(done - at);
    long quotes = quotes((at - start) / 8) & notBefore(done - at);
    while (quotes != 0) {
      int quote = Long.numberOfTrailingZeros(quotes);
      long before = (1L << quote) - 1;
      append(at, left & before);
      left &= ~before;
      quotes &= quotes - 1;
      if (at + quote == fieldStart()) {
        done = behindQuotes(bytes, at + quote + 1, to, delimiter);
        if (done < 0) {
          return;
        }
        left &= notBefore(done - at);
        quotes &= notBefore(done - at);
      }
    }
    append(at, left);
  }

  /** All bits but those of places before one. */
  private static long notBefore(int place) {
    return place <= 0 ? -1L : place >= BLOCK ? 0 : -1L << place;
  }

  /** The quotes of the block that begins with a word. */
  private long quotes(int word) {
    long quotes = 0;
    for (int i = 0; i < 8; i++) {
      quotes |= Words.bits((marks[word + i] & QUOTE_MARKS) << 1) << (8 * i);
    }
    return quotes;
  }

  private int fieldStart() {
    return ends[count - 1] + 1;
  }

  /** The last bytes, which fill no block. */
  private void finish(byte[] bytes, int from, int to, byte delimiter) {
    int at = from;
    while (done >= 0 && at < to) {
      if (bytes[at] == '"' && at == fieldStart()) {
        done = behindQuotes(bytes, at + 1, to, delimiter);
        at = done;
      } else {
        if (bytes[at] == delimiter || bytes[at] == '\n') {
          ends[count++] = at;
        }
        at++;
      }
    }
  }

  /**
   * Writes as many as a block hardly ever exceeds, whether they are there or not: a wrong guess of
   * their number costs more than a wasted write.
   */
  private void append(int at, long marks) {
    long rest = marks;
    int next = count;
    count += Long.bitCount(marks);
    do {
      for (int i = 0; i < USUAL; i++) {
        ends[next + i] = at + Long.numberOfTrailingZeros(rest);
        rest &= rest - 1;
      }
      next += USUAL;
    } while (next < count);
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

  /** How many places {@link #ends} holds. */
  int count() {
    return count;
  }

  /**
   * The places of delimiters and line feeds, after the place before the first field: field {@code
   * n} lies between place {@code n} and place {@code n + 1}.
   */
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
