package io.slicewise.load.jtl;

import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Words;
import java.util.Arrays;

/**
 * The values of the rows of a stretch, column by column: one short loop per column, in which no row
 * depends on the previous one, and the same loop for all columns of numbers.
 *
 * <p>Only the usual spelling is read: a timestamp of 13 digits in this century, other numbers of 1
 * to 7. Any other row is {@link #isStrange}, and its values here are meaningless.
 */
final class PlainRows {
  private static final int MOST_DIGITS = 7;
  private static final int STAMP_DIGITS = 13;
  private static final int TAIL_DIGITS = STAMP_DIGITS - 8;
  private static final long TAILS = 100_000;
  private static final long SIGN = Long.MIN_VALUE;
  private static final long TRUE = Words.of("true");

  /** Marks a row that is valid, if at all, only in another spelling. */
  private static final int STRANGE = Integer.MIN_VALUE;

  /** Zero for a successful request, as nearly all rows are. */
  private int[] odd = {};

  private long[] timeStamps = {};
  private int[] elapsed = {};
  private int[] latencies = {};
  private int[] received = {};
  private int[] sent = {};
  private int[] threads = {};
  private CsvColumns columns = CsvColumns.NONE;
  private int label;
  private byte[] bytes = {};
  private FieldEnds found;
  private long stampHead;

  /** Not plausible until a head has been read: eight NUL bytes are also a head of 0. */
  private long stampHeadMillis = SIGN;

  /** Reads all columns of the rows that were found. */
  void read(byte[] source, FieldEnds ends, CsvColumns current, int longest) {
    bytes = source;
    found = ends;
    if (!current.equals(columns)) {
      columns = current;
      label = current.column(CsvColumns.LABEL);
      makeRoom(FieldEnds.LONGEST / current.count() + 1);
    }
    findOdd(longest);
    long wrong =
        readTimeStamps()
            | numbers(CsvColumns.ELAPSED, elapsed)
            | numbers(CsvColumns.LATENCY, latencies)
            | numbers(CsvColumns.RECEIVED, received)
            | numbers(CsvColumns.SENT, sent)
            | numbers(CsvColumns.THREADS, threads);
    if ((wrong & Words.TOPS) != 0) {
      findStrange();
    }
  }

  /** Values without a column keep what is set here. */
  private void makeRoom(int count) {
    odd = new int[count];
    timeStamps = new long[count];
    elapsed = new int[count];
    latencies = new int[count];
    received = new int[count];
    sent = new int[count];
    threads = new int[count];
    Arrays.fill(latencies, Row.UNKNOWN);
    Arrays.fill(threads, Row.UNKNOWN);
  }

  private long numbers(byte role, int[] into) {
    int column = columns.column(role);
    return column < 0 ? 0 : numbers(bytes, found, columns.count(), column, into);
  }

  /**
   * Reads a column of numbers without a branch.
   *
   * @return marks of errors in any of them
   */
  private static long numbers(byte[] bytes, FieldEnds found, int fields, int column, int[] into) {
    byte[] places = found.places();
    int from = found.from();
    int rows = found.rowCount();
    long wrong = 0;
    int field = 2 * column;
    for (int row = 0; row < rows; row++) {
      int place = (int) Words.at(places, field);
      int start = place & 0xffff;
      int digits = (place >>> 16) - 1 - start;
      long values = Words.values(Words.at(bytes, from + start), digits);
      wrong |= Words.wrong(values) | (MOST_DIGITS - digits);
      into[row] = Words.number(values);
      field += 2 * fields;
    }
    return wrong;
  }

  /**
   * Reads the timestamps. The first eight digits stay the same for 27 hours and are not parsed
   * again.
   */
  private long readTimeStamps() {
    byte[] places = found.places();
    int from = found.from();
    int rows = found.rowCount();
    int fields = columns.count();
    long wrong = 0;
    long head = stampHead;
    long headMillis = stampHeadMillis;
    int field = 2 * columns.column(CsvColumns.TIME_STAMP);
    for (int row = 0; row < rows; row++) {
      int place = (int) Words.at(places, field);
      int start = place & 0xffff;
      int others = ((place >>> 16) - 1 - start) ^ STAMP_DIGITS;
      long word = Words.at(bytes, from + start);
      if (word != head) {
        head = word;
        headMillis = headMillis(word);
      }
      long tail = Words.values(Words.at(bytes, from + start + 8), TAIL_DIGITS);
      wrong |= Words.wrong(tail) | others | -others | (headMillis & SIGN);
      timeStamps[row] = headMillis + Words.number(tail);
      field += 2 * fields;
    }
    stampHead = head;
    stampHeadMillis = headMillis;
    return wrong;
  }

  private static long headMillis(long head) {
    long values = Words.values(head, 8);
    long millis = Words.number(values) * TAILS;
    boolean plain =
        (Words.wrong(values) & Words.TOPS) == 0
            && Values.isPlausible(millis)
            && Values.isPlausible(millis + TAILS - 1);
    return plain ? millis : SIGN;
  }

  /** Finds the rows that failed or sum up others. */
  private void findOdd(int longest) {
    int success = columns.column(CsvColumns.SUCCESS);
    if (success >= 0) {
      findFailed(bytes, found, columns.count(), success, odd);
    } else {
      Arrays.fill(odd, 0, found.rowCount(), 0);
    }
    if (columns.has(CsvColumns.MESSAGE)) {
      findSums(columns.column(CsvColumns.MESSAGE));
    } else if (columns.has(CsvColumns.ADDRESS) || columns.has(CsvColumns.TYPE)) {
      findBare();
    }
    findOther(CsvColumns.SAMPLES, '1');
    findOther(CsvColumns.ERRORS, '0');
    if (endsInText() || longest < FieldEnds.LONGEST) {
      findEndingOddly(longest);
    }
  }

  private static void findFailed(byte[] bytes, FieldEnds found, int fields, int column, int[] odd) {
    byte[] places = found.places();
    int from = found.from();
    int rows = found.rowCount();
    int field = 2 * column;
    for (int row = 0; row < rows; row++) {
      int place = (int) Words.at(places, field);
      int start = place & 0xffff;
      int length = (place >>> 16) - 1 - start;
      odd[row] = ((int) Words.at(bytes, from + start) ^ (int) TRUE) | (length ^ 4);
      field += 2 * fields;
    }
  }

  private void findSums(int column) {
    byte[] places = found.places();
    int from = found.from();
    int rows = found.rowCount();
    int fields = columns.count();
    byte delimiter = columns.delimiter();
    int field = column;
    for (int row = 0; row < rows; row++) {
      long word = Words.at(bytes, from + FieldEnds.place(places, field));
      if (Transactions.mayBegin(word, delimiter)) {
        odd[row] |= Transactions.mayBegin(word) || isBare(row) ? 1 : 0;
      }
      field += fields;
    }
  }

  private void findBare() {
    for (int row = 0; row < found.rowCount(); row++) {
      odd[row] |= isBare(row) ? 1 : 0;
    }
  }

  /** Whether a row has neither message nor URL nor data type. */
  boolean isBare(int row) {
    int message = columns.column(CsvColumns.MESSAGE);
    int address = columns.column(CsvColumns.ADDRESS);
    int type = columns.column(CsvColumns.TYPE);
    return (message < 0 || isEmpty(row, message))
        && (type < 0 || isEmpty(row, type))
        && (address < 0
            || Transactions.isNoAddressAsSpelt(bytes, start(row, address), end(row, address)));
  }

  private boolean isEmpty(int row, int column) {
    return Transactions.isEmptyAsSpelt(bytes, start(row, column), end(row, column));
  }

  /** Finds the rows with any but the usual digit in a column. */
  private void findOther(byte role, char usual) {
    int column = columns.column(role);
    for (int row = 0; column >= 0 && row < found.rowCount(); row++) {
      int start = start(row, column);
      if (bytes[start] != usual || end(row, column) != start + 1) {
        odd[row] = STRANGE;
      }
    }
  }

  /** Whether the last field is text, so that a carriage return would seem to belong to it. */
  private boolean endsInText() {
    return CsvColumns.isText(columns.role(columns.count() - 1));
  }

  private void findEndingOddly(int longest) {
    for (int row = 0; row < found.rowCount(); row++) {
      int end = start(row + 1) - 1;
      if (end - start(row) >= longest || (endsInText() && bytes[end - 1] == '\r')) {
        odd[row] = STRANGE;
      }
    }
  }

  /** Finds the rows with unusually spelled numbers, if there are any. */
  private void findStrange() {
    for (int row = 0; row < found.rowCount(); row++) {
      if (isStrangeStamp(row)
          || isStrangeNumber(row, CsvColumns.ELAPSED)
          || isStrangeNumber(row, CsvColumns.LATENCY)
          || isStrangeNumber(row, CsvColumns.RECEIVED)
          || isStrangeNumber(row, CsvColumns.SENT)
          || isStrangeNumber(row, CsvColumns.THREADS)) {
        odd[row] = STRANGE;
      }
    }
  }

  private boolean isStrangeStamp(int row) {
    int column = columns.column(CsvColumns.TIME_STAMP);
    int start = start(row, column);
    long tail = Words.values(Words.at(bytes, start + 8), TAIL_DIGITS);
    return end(row, column) - start != STAMP_DIGITS
        || headMillis(Words.at(bytes, start)) == SIGN
        || (Words.wrong(tail) & Words.TOPS) != 0;
  }

  private boolean isStrangeNumber(int row, byte role) {
    int column = columns.column(role);
    if (column < 0) {
      return false;
    }
    int start = start(row, column);
    int digits = end(row, column) - start;
    long values = Words.values(Words.at(bytes, start), digits);
    return digits < 1 || digits > MOST_DIGITS || (Words.wrong(values) & Words.TOPS) != 0;
  }

  /** The start of a row; the row after the last starts where the last one ends. */
  int start(int row) {
    return start(row, 0);
  }

  int start(int row, int column) {
    return found.from() + FieldEnds.place(found.places(), row * columns.count() + column);
  }

  int end(int row, int column) {
    return start(row, column + 1) - 1;
  }

  /** The start of a row's label; the beginning of the bytes if it has none. */
  int labelStart(int row) {
    return label < 0 ? 0 : start(row, label);
  }

  int labelEnd(int row) {
    return label < 0 ? 0 : end(row, label);
  }

  /** Whether a row has unusual spelling, so that it is read by the careful way. */
  boolean isStrange(int row) {
    return odd[row] == STRANGE;
  }

  byte[] bytes() {
    return bytes;
  }

  /** The number of rows that are equal to the one above. */
  int repeated(int from, int to) {
    long[] starts = timeStamps;
    int[] lengths = elapsed;
    int repeated = 0;
    for (int row = Math.max(1, from); row < to; row++) {
      long differs = (starts[row] ^ starts[row - 1]) | (lengths[row] ^ lengths[row - 1]);
      if (differs == 0 && lengths[row] > 0 && isRepeated(row)) {
        repeated++;
      }
    }
    return repeated;
  }

  private boolean isRepeated(int row) {
    return Arrays.equals(bytes, start(row - 1), start(row), bytes, start(row), start(row + 1));
  }

  /** For each row, zero if it is a successful request that sums up no others. */
  int[] odd() {
    return odd;
  }

  /** The starts of the samples, in milliseconds since 1970. */
  long[] timeStamps() {
    return timeStamps;
  }

  /** Response times in milliseconds. */
  int[] elapsed() {
    return elapsed;
  }

  /** Times to the first byte in milliseconds, or {@link Row#UNKNOWN}. */
  int[] latencies() {
    return latencies;
  }

  /** Bytes received. */
  int[] received() {
    return received;
  }

  /** Bytes sent. */
  int[] sent() {
    return sent;
  }

  /** Active threads when each sample ended, or {@link Row#UNKNOWN}. */
  int[] threads() {
    return threads;
  }

  /** Copies a row's numbers and texts from its columns; values without a column are unchanged. */
  void put(Row row, int index) {
    row.bytes = bytes;
    row.timeStamp = timeStamps[index];
    row.elapsed = elapsed[index];
    row.latency = latencies[index];
    row.received = received[index];
    row.sent = sent[index];
    row.threads = threads[index];
  }

  /** Copies the positions of a row's thread name and waiting time. */
  void putOrigin(Row row, int index) {
    int thread = columns.column(CsvColumns.THREAD);
    if (thread >= 0) {
      row.threadStart = start(index, thread);
      row.threadEnd = end(index, thread);
    }
    int idle = columns.column(CsvColumns.IDLE);
    if (idle >= 0) {
      int start = start(index, idle);
      int end = end(index, idle);
      int inset = end - start > 1 && bytes[start] == '"' && bytes[end - 1] == '"' ? 1 : 0;
      row.idleStart = start + inset;
      row.idleEnd = end - inset;
    }
  }

  /** Recognizes the sum of a transaction controller by its response message. */
  static final class Transactions {
    private static final String MESSAGE = "Number of samples in transaction : ";
    private static final long START = Words.of(MESSAGE);
    private static final long QUOTED_START = Words.of('"' + MESSAGE);

    private static final int NULL = (int) Words.of("null");
    private static final int QUOTES = '"' | '"' << 8;

    private Transactions() {}

    /** Whether a CSV field, possibly quoted, is empty. */
    static boolean isEmptyAsSpelt(byte[] bytes, int start, int end) {
      int length = end - start;
      return length == 0 || (length == 2 && (Words.at(bytes, start) & 0xffff) == QUOTES);
    }

    /** Whether a URL is empty or JMeter's {@code null}. */
    static boolean isNoAddress(byte[] bytes, int start, int end) {
      int length = end - start;
      return length == 0 || (length == 4 && (int) Words.at(bytes, start) == NULL);
    }

    /** The same of a field of CSV, which may be quoted. */
    static boolean isNoAddressAsSpelt(byte[] bytes, int start, int end) {
      boolean quoted = end - start >= 2 && bytes[start] == '"' && bytes[end - 1] == '"';
      int inset = quoted ? 1 : 0;
      return isNoAddress(bytes, start + inset, end - inset);
    }

    /** Whether a CSV field that begins like this is empty or may be a transaction's message. */
    static boolean mayBegin(long word, byte delimiter) {
      byte first = (byte) word;
      return first == delimiter || first == '\n' || first == '\r' || first == '"' || first == 'N';
    }

    /** Whether a CSV field that begins like this may be a transaction's message. */
    static boolean mayBegin(long word) {
      return word == START || word == QUOTED_START;
    }

    /** The same of a field of CSV, which may be quoted. */
    static boolean isMessageAsSpelt(byte[] bytes, int at) {
      long word = Words.at(bytes, at);
      return (word == START && isMessage(bytes, at))
          || (word == QUOTED_START && isMessage(bytes, at + 1));
    }

    /** Whether the text that begins here is a transaction's message. */
    static boolean isMessage(byte[] bytes, int at) {
      if (Words.at(bytes, at) != START) {
        return false;
      }
      for (int i = 0; i < MESSAGE.length(); i++) {
        if (at + i >= bytes.length || bytes[at + i] != MESSAGE.charAt(i)) {
          return false;
        }
      }
      return true;
    }
  }
}
