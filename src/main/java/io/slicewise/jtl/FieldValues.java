package io.slicewise.jtl;

import java.util.Arrays;

/**
 * What the fields of a stretch's rows say, column by column: one short loop a column, in which no
 * row waits for the one before, and the same loop for all columns of numbers.
 *
 * <p>Only the usual spelling is read: a timestamp of 13 digits in this century, other numbers of 1
 * to 7. A row that has anything else is {@link #isStrange}, and its values here mean nothing.
 */
final class FieldValues {
  private static final int MOST_DIGITS = 7;
  private static final int STAMP_DIGITS = 13;
  private static final int TAIL_DIGITS = STAMP_DIGITS - 8;
  private static final long TAILS = 100_000;
  private static final long SIGN = Long.MIN_VALUE;

  private long[] strange = {};
  private long[] timeStamps = {};
  private int[] elapsed = {};
  private int[] latencies = {};
  private int[] received = {};
  private int[] sent = {};
  private int[] threads = {};
  private Columns read = Columns.NONE;
  private long stampHead;
  private long stampHeadMillis;

  /** Reads what the columns say in all rows that were found. */
  void read(byte[] bytes, FieldEnds found, Columns columns) {
    int count = found.rowCount();
    if (strange.length < count || !columns.equals(read)) {
      makeRoom(Math.max(strange.length, 2 * count));
      read = columns;
    }
    countFields(found.rows(), count, columns.count(), strange);
    timeStamps(bytes, found, columns.column(Columns.TIME_STAMP));
    numbers(bytes, found, columns.column(Columns.ELAPSED), elapsed);
    numbers(bytes, found, columns.column(Columns.LATENCY), latencies);
    numbers(bytes, found, columns.column(Columns.RECEIVED), received);
    numbers(bytes, found, columns.column(Columns.SENT), sent);
    numbers(bytes, found, columns.column(Columns.THREADS), threads);
  }

  /** What no column says stays what it is here. */
  private void makeRoom(int count) {
    strange = new long[count];
    timeStamps = new long[count];
    elapsed = new int[count];
    latencies = new int[count];
    received = new int[count];
    sent = new int[count];
    threads = new int[count];
    Arrays.fill(latencies, Row.UNTOLD);
    Arrays.fill(threads, Row.UNTOLD);
  }

  private void numbers(byte[] bytes, FieldEnds found, int column, int[] into) {
    if (column >= 0) {
      numbers(bytes, found.ends(), found.rows(), found.rowCount(), column, into, strange);
    }
  }

  private static void countFields(int[] rows, int count, int fields, long[] strange) {
    for (int row = 0; row < count; row++) {
      int excess = (rows[row + 1] - rows[row]) ^ fields;
      strange[row] = excess | -excess;
    }
  }

  /** Reads numbers without a branch; what is wrong with them is left in the marks. */
  private static void numbers(
      byte[] bytes, int[] ends, int[] rows, int count, int column, int[] into, long[] strange) {
    for (int row = 0; row < count; row++) {
      int field = rows[row] + column;
      int start = ends[field] + 1;
      int digits = ends[field + 1] - start;
      long values = Words.values(Words.at(bytes, start), digits);
      strange[row] |= Words.aboveNine(values) | (digits - 1) | (MOST_DIGITS - digits);
      into[row] = Words.number(values);
    }
  }

  /** The first eight digits are those of the row before for 27 hours, and not read again. */
  private void timeStamps(byte[] bytes, FieldEnds found, int column) {
    int[] ends = found.ends();
    int[] rows = found.rows();
    int count = found.rowCount();
    for (int row = 0; row < count; row++) {
      int field = rows[row] + column;
      int start = ends[field] + 1;
      int others = (ends[field + 1] - start) ^ STAMP_DIGITS;
      long head = Words.at(bytes, start);
      if (head != stampHead) {
        readHead(head);
      }
      long tail = Words.values(Words.at(bytes, start + 8), TAIL_DIGITS);
      strange[row] |= Words.aboveNine(tail) | others | -others | (stampHeadMillis & SIGN);
      timeStamps[row] = stampHeadMillis + Words.number(tail);
    }
  }

  private void readHead(long head) {
    long values = Words.values(head, 8);
    long millis = Words.number(values) * TAILS;
    boolean plain =
        Words.aboveNine(values) == 0
            && Values.isPlausible(millis)
            && Values.isPlausible(millis + TAILS - 1);
    stampHead = head;
    stampHeadMillis = plain ? millis : Long.MIN_VALUE;
  }

  boolean isStrange(int row) {
    return (strange[row] & Words.TOPS) != 0;
  }

  /** Puts a row's values where the columns say them; leaves what no column says. */
  void put(Row row, int index) {
    row.timeStamp = timeStamps[index];
    row.elapsed = elapsed[index];
    row.latency = latencies[index];
    row.received = received[index];
    row.sent = sent[index];
    row.threads = threads[index];
  }
}
