package io.slicewise.jtl;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
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

  /** Words marked at once; few enough to stay near the processor. */
  private static final int STRIP = 512;

  private static final int USUAL = 14;
  private static final int SPARE = 1 + 2 * USUAL;

  private static final long ENDS = 0xff;

  private final long[] marks = new long[STRIP];

  /** How many line feeds there are in every {@link #STRIP}th word, byte by byte of it. */
  private final long[] lines = new long[STRIP];

  private int to;

  /** The place behind the last quoted field; -1 when one had no end. */
  private int done;

  private int[] ends = new int[SPARE];
  private int count;
  private int[] rows = new int[SPARE];
  private int rowCount;
  private int[] linesInside = new int[16];
  private int linesInsideCount;

  /**
   * Finds the field ends in {@code from..to}, at most a million bytes; a row begins at {@code
   * from}.
   */
  void find(byte[] bytes, int from, int to, byte delimiter, int fields) {
    int most = to - from + fields + SPARE;
    if (ends.length < most) {
      ends = new int[most];
    }
    count = 1;
    ends[0] = from - 1;
    linesInsideCount = 0;
    this.to = to;
    done = from;
    Arrays.fill(lines, 0);
    long delimiters = Words.all(delimiter);
    LongBuffer words = words(bytes, from, to);
    int at = from;
    while (words.remaining() >= BLOCK / 8 && done >= 0) {
      int count = Math.min(STRIP, words.remaining()) & -8;
      words.get(marks, 0, count);
      mark(marks, lines, count, delimiters);
      for (int word = 0; word < count && done >= 0; word += 8) {
        block(bytes, word, at, delimiter);
        at += BLOCK;
      }
    }
    finish(bytes, Math.max(at, done), delimiter);
    findRows(bytes, at, fields);
  }

  private static LongBuffer words(byte[] bytes, int from, int to) {
    return ByteBuffer.wrap(bytes, from, to - from)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer();
  }

  /**
   * Gathers the marks of a word's field ends in its lowest byte, says in the bits above whether it
   * holds a quote, and counts line feeds in the bytes of {@code lines}. Apart, and without a
   * branch, so that the compiler makes vector instructions of it.
   */
  private static void mark(long[] words, long[] lines, int count, long delimiters) {
    for (int i = 0; i < count; i++) {
      long word = words[i];
      long newlines = Words.allMatches(word, NEWLINES);
      long quotes = Words.allMatches(word, QUOTES);
      long bits = (Words.allMatches(word, delimiters) | newlines) >>> 7;
      bits = (bits | bits >>> 7) & 0x0003_0003_0003_0003L;
      bits = (bits | bits >>> 14) & 0x0000_000f_0000_000fL;
      bits = (bits | bits >>> 28) & ENDS;
      words[i] = bits | ((quotes | quotes << 8) & ~ENDS);
      lines[i] += newlines >>> 7;
    }
  }

  private void block(byte[] bytes, int word, int at, byte delimiter) {
    long fieldEnds = 0;
    long all = 0;
    for (int i = 0; i < 8; i++) {
      long mark = marks[word + i];
      all |= mark;
      fieldEnds |= (mark & ENDS) << (8 * i);
    }
    if (all <= ENDS && all >= 0 && done <= at) {
      append(at, fieldEnds);
    } else if (done < at + BLOCK) {
      findAmongQuotes(bytes, at, fieldEnds, delimiter);
    }
  }

  /** Takes the field ends of a block that are not quoted, one quoted field after the other. */
  private void findAmongQuotes(byte[] bytes, int at, long fieldEnds, byte delimiter) {
    long left = fieldEnds & notBefore(done - at);
    long quotes = quotes(bytes, at) & notBefore(done - at);
    while (quotes != 0) {
      int quote = Long.numberOfTrailingZeros(quotes);
      long before = (1L << quote) - 1;
      append(at, left & before);
      left &= ~before;
      quotes &= quotes - 1;
      if (at + quote == fieldStart()) {
        done = behindQuotes(bytes, at + quote + 1, delimiter);
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

  /** The quotes of the block that begins at a place. */
  private static long quotes(byte[] bytes, int at) {
    long quotes = 0;
    for (int i = 0; i < 8; i++) {
      quotes |= Words.bits(Words.allMatches(Words.at(bytes, at + 8 * i), QUOTES)) << (8 * i);
    }
    return quotes;
  }

  private int fieldStart() {
    return ends[count - 1] + 1;
  }

  /** The last bytes, which fill no block. */
  private void finish(byte[] bytes, int from, byte delimiter) {
    int at = from;
    while (done >= 0 && at < to) {
      if (bytes[at] == '"' && at == fieldStart()) {
        done = behindQuotes(bytes, at + 1, delimiter);
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
  private int behindQuotes(byte[] bytes, int from, byte delimiter) {
    int at = from;
    while (at + 1 < to) {
      long word = Words.at(bytes, at);
      int plain = Words.index(Words.matches(word, QUOTES) | Words.matches(word, NEWLINES));
      at += plain;
      if (plain < 8 && at + 1 < to) {
        if (bytes[at] == '\n') {
          noteLineInside(at);
        } else if (bytes[at + 1] != '"') {
          return endsField(bytes, at + 1, delimiter) ? at + 1 : -1;
        } else {
          at++;
        }
        at++;
      }
    }
    return -1;
  }

  private boolean endsField(byte[] bytes, int at, byte delimiter) {
    byte next = bytes[at];
    return next == delimiter
        || next == '\n'
        || (next == '\r' && at + 1 < to && bytes[at + 1] == '\n');
  }

  private void noteLineInside(int at) {
    if (linesInsideCount == linesInside.length) {
      linesInside = Arrays.copyOf(linesInside, 2 * linesInside.length);
    }
    linesInside[linesInsideCount++] = at;
  }

  /**
   * Finds which of the ends are those of rows. If every so many is one, and there are no others,
   * that is it, and most ends are never looked at.
   */
  private void findRows(byte[] bytes, int rest, int fields) {
    if (rows.length < count) {
      rows = new int[ends.length];
    }
    int row = 0;
    int end = fields;
    while (end < count && bytes[ends[end]] == '\n') {
      rows[++row] = end;
      end += fields;
    }
    rowCount = row;
    if (done < 0 || row + linesInsideCount != newlines(bytes, rest)) {
      findIrregularRows(bytes);
    }
  }

  /** All line feeds: those counted by the word, and those of the rest that fills no block. */
  private int newlines(byte[] bytes, int rest) {
    int newlines = 0;
    for (long eight : lines) {
      long pairs = (eight & 0x00ff_00ff_00ff_00ffL) + ((eight >>> 8) & 0x00ff_00ff_00ff_00ffL);
      newlines += (int) ((pairs * 0x0001_0001_0001_0001L) >>> 48);
    }
    for (int at = rest; at < to; at++) {
      newlines += bytes[at] == '\n' ? 1 : 0;
    }
    return newlines;
  }

  private void findIrregularRows(byte[] bytes) {
    rowCount = 0;
    for (int end = 1; end < count; end++) {
      if (bytes[ends[end]] == '\n') {
        rows[++rowCount] = end;
      }
    }
  }

  /** The place behind the stretch. */
  int to() {
    return to;
  }

  /** Whether the search ended before the stretch, at a quoted field that does not end in it. */
  boolean stopped() {
    return done < 0;
  }

  /** How many rows end in the stretch. */
  int rowCount() {
    return rowCount;
  }

  /** Where in {@link #ends} the rows begin: the end before each, and the end of the last one. */
  int[] rows() {
    return rows;
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
