package io.slicewise.load.jtl;

import io.slicewise.load.jtl.text.Words;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.LongBuffer;
import java.util.Arrays;

/**
 * Finds where the fields of a stretch of CSV begin and end: all delimiters and line feeds outside
 * quotes, before the fields are interpreted.
 *
 * <p>First, the ends in every word of eight bytes are marked, which the compiler does with vector
 * instructions; then the marks are looked up in a table with the positions for each of the 256
 * combinations of ends in eight bytes. No word depends on the previous one. (Langdale and Lemire,
 * Parsing Gigabytes of JSON per Second, 2019, do the same with wider registers.)
 *
 * <p>Blocks with quotes are examined bit by bit: the running parity of the quotes shows what is
 * quoted. That is correct as long as quotes are where JMeter writes them: an opening one first in
 * its field, a closing one last, any other doubled. Otherwise the search stops.
 */
final class FieldEnds {
  /** The longest stretch: positions in it fit in 16 bits. */
  static final int LONGEST = 1 << 15;

  /** Words marked at once; few enough for the processor's cache. */
  private static final int STRIP = 512;

  private static final int BLOCK = 64;
  private static final int WORDS = BLOCK / 8;

  /** The bits of a mark that are set for quotes; the bits above them are set for ends. */
  private static final long QUOTE_BITS = Words.TOPS >>> 1;

  /** The same 16-bit number four times. */
  private static final long FOUR = 0x0001_0001_0001_0001L;

  /** For every combination of ends, the positions after the first four, 16 bits each. */
  private static final long[] FIRST_FOUR = new long[256];

  private static final long[] LAST_FOUR = new long[256];

  static {
    for (int ends = 1; ends < 256; ends++) {
      int found = 0;
      for (int place = 0; place < 8; place++) {
        if ((ends >> place & 1) == 1) {
          long[] four = found < 4 ? FIRST_FOUR : LAST_FOUR;
          four[ends] |= (place + 1L) << (16 * (found++ % 4));
        }
      }
    }
  }

  // Not constants: with constants, the compiler does not vectorize the marking.
  private final long newlines = Words.all('\n');
  private final long quotes = Words.all('"');

  private final long[] marks = new long[STRIP];

  /** The number of line feeds in every {@link #STRIP}th word, for each byte. */
  private final long[] lines = new long[STRIP];

  /** The positions after the ends, 16 bits each, preceded by the position of the first field. */
  private final byte[] places = new byte[2 * (LONGEST + BLOCK)];

  private byte[] bytes = {};
  private int from;
  private int to;
  private int count;
  private int rowCount;
  private boolean stopped;

  /** All bits set inside quotes, otherwise none. */
  private long quoted;

  /** Whether the last byte read was a closing quote. */
  private boolean closing;

  private int[] linesInside = new int[16];
  private int linesInsideCount;

  /**
   * Finds the field ends in {@code from..to}, at most {@link #LONGEST} bytes; a row begins at
   * {@code from}.
   */
  void find(byte[] source, int first, int end, byte delimiter, int fields) {
    bytes = source;
    from = first;
    to = end;
    count = 0;
    append(0);
    stopped = false;
    quoted = 0;
    closing = false;
    linesInsideCount = 0;
    Arrays.fill(lines, 0);
    long delimiters = Words.all(delimiter);
    LongBuffer words = words();
    for (int word = 0; words.hasRemaining() && !stopped; word += STRIP) {
      int strip = Math.min(STRIP, words.remaining());
      words.get(marks, 0, strip);
      clearAfter(word, strip);
      mark(marks, lines, strip, delimiters, newlines, quotes);
      pick(word, strip);
    }
    findRows(fields);
  }

  /** The stretch as words, up to the end of its last block. */
  private LongBuffer words() {
    int length = (to - from + BLOCK - 1) & -BLOCK;
    return ByteBuffer.wrap(bytes, from, length)
        .slice()
        .order(ByteOrder.LITTLE_ENDIAN)
        .asLongBuffer();
  }

  /** Clears everything after the stretch. */
  private void clearAfter(int word, int strip) {
    int length = to - from - 8 * word;
    for (int i = length >> 3; i < strip; i++) {
      marks[i] = Words.first(marks[i], Math.max(0, length - 8 * i));
    }
  }

  /**
   * Marks each word: in each byte the top bit for an end and the one below for a quote. Also counts
   * line feeds in the bytes of {@code lines}. A separate method without branches, so that the
   * compiler vectorizes it.
   */
  private static void mark(
      long[] words, long[] lines, int count, long delimiters, long newlines, long quotes) {
    for (int i = 0; i < count; i++) {
      long word = words[i];
      long feeds = Words.allMatches(word, newlines);
      words[i] = Words.allMatches(word, delimiters) | feeds | Words.allMatches(word, quotes) >>> 1;
      lines[i] += feeds >>> 7;
    }
  }

  private void pick(int word, int strip) {
    int i = 0;
    while (i < strip && !stopped) {
      if (quoted == 0 && !closing) {
        i = pickPlain(word, i, strip);
      }
      if (i < strip) {
        i &= -WORDS;
        forget(8 * (word + i));
        pickAmongQuotes(word, i);
        i += WORDS;
      }
    }
  }

  /**
   * Takes the ends of all words up to one with a quote in it. Four positions are always written for
   * each: a branch misprediction costs more than an unused write.
   *
   * @return the word with a quote
   */
  private int pickPlain(int word, int first, int strip) {
    int at = 2 * count;
    int i = first;
    long base = 8 * FOUR * (word + first);
    for (; i < strip; i++) {
      long mark = marks[i];
      if ((mark & QUOTE_BITS) != 0) {
        break;
      }
      int ends = (int) Words.bits(mark);
      Words.put(places, at, FIRST_FOUR[ends] + base);
      int found = Long.bitCount(mark);
      if (found > 4) {
        Words.put(places, at + 8, LAST_FOUR[ends] + base);
      }
      at += 2 * found;
      base += 8 * FOUR;
    }
    count = at / 2;
    return i;
  }

  /** Removes the ends after a position. */
  private void forget(int place) {
    while (place(places, count - 1) > place) {
      count--;
    }
  }

  /** Takes the ends of a block that are not quoted. */
  private void pickAmongQuotes(int word, int first) {
    int start = 8 * (word + first);
    long ends = 0;
    long marked = 0;
    for (int i = 0; i < WORDS; i++) {
      long mark = marks[first + i];
      ends |= Words.bits(mark & Words.TOPS) << (8 * i);
      marked |= Words.bits((mark << 1) & Words.TOPS) << (8 * i);
    }
    long inside = parity(marked) ^ quoted;
    long opening = marked & inside;
    long closed = marked & ~inside;
    long outside = ends & ~inside;
    long behindClosed = closed << 1 | (closing ? 1 : 0);
    long fieldStarts = outside << 1 | (start == place(places, count - 1) ? 1 : 0);
    stopped =
        (opening & ~(fieldStarts | behindClosed)) != 0
            || (behindClosed & ~(outside | opening)) != 0;
    if (!stopped) {
      closing = closed < 0;
      quoted = inside >> 63;
      noteLinesInside(start, ends & inside);
      append(start, outside);
    }
  }

  /** For every bit, whether an odd number of bits is set up to it. */
  private static long parity(long bits) {
    long parity = bits;
    for (int distance = 1; distance < 64; distance *= 2) {
      parity ^= parity << distance;
    }
    return parity;
  }

  /** Takes a block's ends, again with a table entry for every eight bytes. */
  private void append(int start, long ends) {
    for (int i = 0; i < BLOCK; i += 8) {
      int eight = (int) (ends >>> i) & 0xff;
      long base = FOUR * (start + i);
      Words.put(places, 2 * count, FIRST_FOUR[eight] + base);
      Words.put(places, 2 * count + 8, LAST_FOUR[eight] + base);
      count += Integer.bitCount(eight);
    }
  }

  private void append(int place) {
    Words.put(places, 2 * count++, place);
  }

  private void noteLinesInside(int start, long ends) {
    for (long rest = ends; rest != 0; rest &= rest - 1) {
      int at = from + start + Long.numberOfTrailingZeros(rest);
      if (bytes[at] == '\n') {
        if (linesInsideCount == linesInside.length) {
          linesInside = Arrays.copyOf(linesInside, 2 * linesInside.length);
        }
        linesInside[linesInsideCount++] = at;
      }
    }
  }

  /**
   * Counts the rows. If exactly every {@code fields}th end is a line feed, most ends need not be
   * examined.
   */
  private void findRows(int fields) {
    rowCount = 0;
    for (int end = fields; end < count && isLineFeed(end); end += fields) {
      rowCount++;
    }
    if (stopped || rowCount + linesInsideCount != lineFeeds()) {
      findRegularRows(fields);
    }
  }

  private boolean isLineFeed(int end) {
    return bytes[from + place(places, end) - 1] == '\n';
  }

  /**
   * The sum of all bytes of {@link #lines}, which are small enough for sixteen to fit in a byte.
   */
  private int lineFeeds() {
    int feeds = 0;
    for (int i = 0; i < STRIP; i += 16) {
      long eight = 0;
      for (int j = i; j < i + 16; j++) {
        eight += lines[j];
      }
      long pairs = (eight & 0x00ff_00ff_00ff_00ffL) + ((eight >>> 8) & 0x00ff_00ff_00ff_00ffL);
      feeds += (int) ((pairs * FOUR) >>> 48);
    }
    return feeds;
  }

  /** Counts the rows up to the first with too few or too many fields. */
  private void findRegularRows(int fields) {
    int end = 1;
    while (end < count && isLineFeed(end) == (end % fields == 0)) {
      end++;
    }
    rowCount = (end - 1) / fields;
    stopped |= end < count;
  }

  /** The position after the stretch. */
  int to() {
    return to;
  }

  /**
   * Whether the search ended before the end of the stretch: shortly after the rows that were found
   * is one with a wrong number of fields or misplaced quotes.
   */
  boolean stopped() {
    return stopped;
  }

  /** The number of rows, from the start of the stretch, that have all their fields. */
  int rowCount() {
    return rowCount;
  }

  /** The start of the stretch; {@link #places} are relative to it. */
  int from() {
    return from;
  }

  /**
   * The positions of the fields: field {@code n}, counted through all rows, begins at {@link
   * #place} {@code n} and ends one before place {@code n + 1}.
   */
  byte[] places() {
    return places;
  }

  static int place(byte[] places, int field) {
    return (int) Words.at(places, 2 * field) & 0xffff;
  }

  /** The number of line feeds inside quotes. */
  int linesInside() {
    return linesInsideCount;
  }

  /** The position of a line feed inside quotes. */
  int lineInside(int index) {
    return linesInside[index];
  }
}
