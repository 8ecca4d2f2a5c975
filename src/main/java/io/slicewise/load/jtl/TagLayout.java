package io.slicewise.load.jtl;

import io.slicewise.load.jtl.PlainRows.Transactions;
import io.slicewise.load.jtl.text.Attributes;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Words;

/**
 * The attributes of the last tag and their order. JMeter writes the same attributes in every tag of
 * a run, so the next tag is compared instead of looked up: from the closing quote of one value to
 * the opening quote of the next, up to eight bytes at a time.
 *
 * <p>Only JMeter's spelling is read: one blank before each attribute, double quotes, values without
 * line feeds and less-than signs, a timestamp of 13 digits in this century, other numbers of 1 to
 * 7.
 */
final class TagLayout {
  /** No position: the bytes do not match the layout. */
  static final int NONE = -1;

  /** Marks a piece after which the attribute's name continues. */
  private static final byte CONTINUED = -1;

  private static final int MOST_PIECES = 64;
  private static final int MOST_DIGITS = 7;
  private static final int STAMP_DIGITS = 13;
  private static final long QUOTES = Words.all('"');
  private static final long LESS_THANS = Words.all('<');
  private static final long NEWLINES = Words.all('\n');
  private static final long TRUE = Words.of("true\"");
  private static final long FALSE = Words.of("false\"");

  private final long[] pieces = new long[MOST_PIECES];
  private final long[] masks = new long[MOST_PIECES];
  private final int[] lengths = new int[MOST_PIECES];
  private final byte[] roles = new byte[MOST_PIECES];
  private int count;

  /**
   * Fills a row from a tag of this layout.
   *
   * @param from after the element's name
   * @return the position after the last attribute, or {@link #NONE}
   */
  int read(Row row, byte[] bytes, int from) {
    int place = from;
    for (int i = 0; i < count; i++) {
      if (((Words.at(bytes, place) ^ pieces[i]) & masks[i]) != 0) {
        return NONE;
      }
      place = value(row, roles[i], bytes, place + lengths[i]);
      if (place < 0) {
        return NONE;
      }
    }
    return count > 0 && bytes[place] == '"' ? place + 1 : NONE;
  }

  /** Reads a value and returns the position after it, where a quote must be. */
  private static int value(Row row, byte role, byte[] bytes, int start) {
    return switch (role) {
      case CONTINUED -> start;
      case CsvColumns.TIME_STAMP -> timeStamp(row, bytes, start);
      case CsvColumns.SUCCESS -> success(row, bytes, start);
      case CsvColumns.LABEL,
          CsvColumns.CODE,
          CsvColumns.MESSAGE,
          CsvColumns.SKIPPED,
          CsvColumns.THREAD,
          CsvColumns.TYPE,
          CsvColumns.IDLE ->
          text(row, role, bytes, start);
      default -> number(row, role, bytes, start);
    };
  }

  private static int text(Row row, byte role, byte[] bytes, int start) {
    int end = closingQuote(bytes, start);
    if (role == CsvColumns.LABEL) {
      row.labelStart = start;
      row.labelEnd = end;
    } else if (role == CsvColumns.CODE) {
      row.codeStart = start;
      row.codeEnd = end;
    } else if (role == CsvColumns.MESSAGE) {
      row.transaction = Transactions.isMessage(bytes, start);
      row.described |= end > start;
    } else if (role == CsvColumns.TYPE) {
      row.described |= end > start;
    } else if (role == CsvColumns.THREAD) {
      row.threadStart = start;
      row.threadEnd = end;
    } else if (role == CsvColumns.IDLE) {
      row.idleStart = start;
      row.idleEnd = end;
    }
    return end;
  }

  /** The position of the next quote; none if a line feed or a less-than sign comes first. */
  private static int closingQuote(byte[] bytes, int start) {
    int place = start;
    while (true) {
      long word = Words.at(bytes, place);
      long quotes = Words.matches(word, QUOTES);
      long others = Words.matches(word, LESS_THANS) | Words.matches(word, NEWLINES);
      // Other characters only count before the first quote.
      if ((others & ((quotes & -quotes) - 1)) != 0) {
        return NONE;
      }
      if (quotes != 0) {
        return place + Words.index(quotes);
      }
      place += 8;
    }
  }

  private static int success(Row row, byte[] bytes, int start) {
    long word = Words.at(bytes, start);
    row.success = Words.first(word, 5) == TRUE;
    return row.success ? start + 4 : Words.first(word, 6) == FALSE ? start + 5 : NONE;
  }

  private static int timeStamp(Row row, byte[] bytes, int start) {
    long head = Words.at(bytes, start);
    long tail = Words.at(bytes, start + 8);
    row.timeStamp =
        Words.number(Words.values(head, 8)) * 100_000L
            + Words.number(Words.values(tail, STAMP_DIGITS - 8));
    boolean plain =
        Words.nonDigits(head) == 0
            && Words.index(Words.nonDigits(tail)) == STAMP_DIGITS - 8
            && Values.isPlausible(row.timeStamp);
    return plain ? start + STAMP_DIGITS : NONE;
  }

  private static int number(Row row, byte role, byte[] bytes, int start) {
    long word = Words.at(bytes, start);
    int digits = Words.index(Words.nonDigits(word));
    if (digits == 0 || digits > MOST_DIGITS) {
      return NONE;
    }
    int number = Words.number(Words.values(word, digits));
    switch (role) {
      case CsvColumns.ELAPSED -> row.elapsed = number;
      case CsvColumns.LATENCY -> row.latency = number;
      case CsvColumns.RECEIVED -> row.received = number;
      case CsvColumns.SENT -> row.sent = number;
      case CsvColumns.SAMPLES -> row.count = Math.max(1, number);
      case CsvColumns.ERRORS -> row.errors = number;
      default -> row.threads = number;
    }
    return start + digits;
  }

  /**
   * Adopts the layout of a tag in JMeter's spelling that has both times.
   *
   * @param from after the element's name
   */
  boolean learn(byte[] bytes, int from) {
    count = 0;
    int start = from;
    int blank = from;
    while (bytes[blank] == ' ') {
      int name = blank + 1;
      int end = name;
      while (CarefulTag.isNameLetter(bytes[end])) {
        end++;
      }
      if (end == name || bytes[end] != '=' || !add(bytes, start, end + 2)) {
        break;
      }
      roles[count - 1] = Attributes.role(Words.at(bytes, name), end - name);
      start = bytes[end + 1] == '"' ? closingQuote(bytes, end + 2) : NONE;
      if (start == NONE) {
        break;
      }
      blank = start + 1;
    }
    boolean ends = bytes[blank] == '>' || bytes[blank] == '/';
    count = ends && has(CsvColumns.TIME_STAMP) && has(CsvColumns.ELAPSED) ? count : 0;
    return count > 0;
  }

  private boolean has(byte role) {
    for (int i = 0; i < count; i++) {
      if (roles[i] == role) {
        return true;
      }
    }
    return false;
  }

  /** Adds the bytes between two values; false if there are too many. */
  private boolean add(byte[] bytes, int from, int to) {
    for (int place = from; place < to; place += 8) {
      if (count == MOST_PIECES) {
        return false;
      }
      lengths[count] = Math.min(8, to - place);
      masks[count] = Words.first(-1, lengths[count]);
      pieces[count] = Words.at(bytes, place) & masks[count];
      roles[count++] = CONTINUED;
    }
    return true;
  }
}
