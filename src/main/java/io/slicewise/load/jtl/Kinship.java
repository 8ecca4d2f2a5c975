package io.slicewise.load.jtl;

import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.text.CsvColumns;
import io.slicewise.load.jtl.text.Spellings;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Recognizes by names, threads and times which rows are parts of a request, and which are sums of
 * transactions without their usual message.
 *
 * <p>A JMeter thread makes one request after the other. A row is a part of the thread's last
 * request if it is named after it (see {@link PartName}) and within its time. A row without
 * message, URL and data type is a sum if the request before it on its thread is within its time, or
 * the request after it, which JMeter writes below a parent sample; or if its label is that of a
 * transaction: other rows have the message, or most rows are sums by their time.
 *
 * <p>JMeter rounds a start and a length separately, so the end of a part may be a millisecond late.
 * If starts are whole seconds, a part may seem to end up to a second late, and the requests after
 * it may, too: then parts must also be in the order of their numbers, and times do not show sums.
 */
final class Kinship implements Intake {
  private static final int MOST_NAMES = 1 << 17;

  private final boolean whole;
  private final UnaryOperator<String> decoder;
  private final DamageLog damage = new DamageLog();
  private final Spellings<Label> labelSpellings = new Spellings<>(MOST_NAMES);
  private final Spellings<Origin> originSpellings = new Spellings<>(MOST_NAMES);
  private final Map<String, Label> labels = new HashMap<>();
  private final Map<String, Origin> origins = new HashMap<>();
  private final BitSet parts = new BitSet();
  private final BitSet sums = new BitSet();
  private long requests;
  private long overlaps;
  private final Row plain = new Row();

  private boolean hidden;
  private boolean revealed;
  private int sound;

  /** Rows that may be sums, and their labels. */
  private int[] bare = new int[16];

  private Label[] bareLabels = new Label[16];
  private int bareCount;

  /**
   * @param counted whether the contents of a transaction in XML are read
   * @param decoder decodes text as spelled in the file
   */
  Kinship(ReductionOptions.Counted counted, UnaryOperator<String> decoder) {
    whole = counted == ReductionOptions.Counted.TRANSACTIONS;
    this.decoder = decoder;
  }

  @Override
  public DamageLog damage() {
    return damage;
  }

  @Override
  public void columns(CsvColumns columns) {
    hidden = columns.hideSums();
    revealed = columns.revealSums();
  }

  @Override
  public boolean enough() {
    return sound == Integer.MAX_VALUE;
  }

  @Override
  public boolean isWhole(Row row) {
    return !row.transaction || whole;
  }

  @Override
  public int add(PlainRows rows, int from, int to) {
    int row = from;
    while (row < to && rows.odd()[row] == 0) {
      plain.clear();
      rows.put(plain, row);
      plain.labelStart = rows.labelStart(row);
      plain.labelEnd = rows.labelEnd(row);
      plain.described = !hidden;
      rows.putOrigin(plain, row);
      add(plain, 0);
      row++;
    }
    return row;
  }

  @Override
  public void add(Row row, long line) {
    int number = sound++;
    Label label = label(row);
    Origin origin = row.threadEnd > row.threadStart ? origin(row) : null;
    if (row.transaction) {
      label.summed = true;
    }
    if (origin == null) {
      noteBare(row, number, label, false);
    } else if (!row.transaction && origin.isPart(row, label.name)) {
      parts.set(number);
    } else {
      origin.resolve(row, sums);
      boolean sum = row.isBare() && origin.endsIn(row);
      noteBare(row, number, label, sum);
      if (row.described && !row.transaction) {
        requests++;
        overlaps += origin.isBusy(row) ? 1 : 0;
      }
      boolean candidate = row.isBare() && !sum && !row.wholeSecond;
      origin.pass(row, label, candidate ? number : Origin.NONE, row.transaction || sum);
    }
  }

  private void noteBare(Row row, int number, Label label, boolean sum) {
    if (!row.isBare() || !revealed) {
      return;
    }
    if (sum) {
      sums.set(number);
    }
    if (!hidden) {
      if (bareCount == bare.length) {
        bare = Arrays.copyOf(bare, 2 * bareCount);
        bareLabels = Arrays.copyOf(bareLabels, 2 * bareCount);
      }
      bare[bareCount] = number;
      bareLabels[bareCount++] = label;
    }
  }

  private Label label(Row row) {
    Label known = row.spelt ? labelSpellings.find(row.bytes, row.labelStart, row.labelEnd) : null;
    if (known != null) {
      return known;
    }
    String name = text(row, row.labelStart, row.labelEnd);
    Label label =
        labels.size() < MOST_NAMES
            ? labels.computeIfAbsent(name, Label::new)
            : labels.getOrDefault(name, new Label(name));
    if (row.spelt) {
      labelSpellings.put(Arrays.copyOfRange(row.bytes, row.labelStart, row.labelEnd), label);
    }
    return label;
  }

  private Origin origin(Row row) {
    Origin known =
        row.spelt ? originSpellings.find(row.bytes, row.threadStart, row.threadEnd) : null;
    if (known != null) {
      return known;
    }
    String name = text(row, row.threadStart, row.threadEnd);
    Origin origin =
        origins.size() < MOST_NAMES
            ? origins.computeIfAbsent(name, none -> new Origin())
            : origins.getOrDefault(name, new Origin());
    if (row.spelt) {
      originSpellings.put(Arrays.copyOfRange(row.bytes, row.threadStart, row.threadEnd), origin);
    }
    return origin;
  }

  private String text(Row row, int start, int end) {
    String text = new String(row.bytes, start, end - start, StandardCharsets.UTF_8);
    return row.spelt ? decoder.apply(text) : text;
  }

  /** The result; nothing may be added afterwards. */
  Roles roles() {
    for (int i = 0; i < bareCount; i++) {
      bareLabels[i].bare++;
      bareLabels[i].found += sums.get(bare[i]) ? 1 : 0;
    }
    for (int i = 0; i < bareCount; i++) {
      Label label = bareLabels[i];
      if (label.summed || 2 * label.found > label.bare) {
        sums.set(bare[i]);
      }
    }
    return new Roles(parts, sums, new Overlaps(overlaps, requests));
  }

  /** A label and its rows. */
  private static final class Label {
    private final String name;

    /** Whether a row with this label has the message of a transaction. */
    private boolean summed;

    /** Rows without message, URL and data type, and how many of them were sums by their time. */
    private int bare;

    private int found;

    Label(String name) {
      this.name = name;
    }
  }

  /** A thread and its last request. */
  private static final class Origin {
    private static final int NONE = -1;
    private static final int SECOND = 1000;

    /** The last request. */
    private String request;

    private long requestStart;
    private long requestEnd;

    /** The label of its last part; empty before the first. */
    private String lastPart = "";

    /** The start of the last row that was not a part. */
    private long lastStart = Long.MAX_VALUE;

    private long lastEnd = Long.MIN_VALUE;

    /** The number of the last row, if it may be a sum; and the end of its time. */
    private int open = NONE;

    private long openEnd;

    boolean isPart(Row row, String label) {
      boolean part =
          request != null
              && row.timeStamp >= requestStart
              && row.timeStamp + row.elapsed <= requestEnd + rounding(row)
              && PartName.isOf(label, request)
              && (!row.wholeSecond
                  || lastPart.isEmpty()
                  || PartName.isBefore(lastPart, label, request));
      lastPart = part ? label : lastPart;
      return part;
    }

    /** Whether a request begins before the previous one of its thread has ended. */
    boolean isBusy(Row row) {
      return request != null
          && row.timeStamp + rounding(row) < requestEnd
          && row.timeStamp + row.elapsed > requestStart + rounding(row);
    }

    private static int rounding(Row row) {
      return row.wholeSecond ? SECOND : 1;
    }

    /** Whether the previous row is within the time of a possible sum. */
    boolean endsIn(Row row) {
      return !row.wholeSecond
          && lastStart >= row.timeStamp
          && lastEnd > row.timeStamp
          && lastEnd <= row.timeStamp + row.elapsed + row.idleMillis();
    }

    /**
     * Decides whether the previous row, if it may be a sum, is one: whether this row is within its
     * time.
     */
    void resolve(Row row, BitSet sums) {
      boolean within =
          open != NONE
              && row.timeStamp >= lastStart
              && row.timeStamp < openEnd
              && row.timeStamp + row.elapsed <= openEnd;
      if (within) {
        sums.set(open);
        // It turned out not to be a request.
        request = null;
      }
    }

    void pass(Row row, Label label, int candidate, boolean sum) {
      lastStart = row.timeStamp;
      lastEnd = row.timeStamp + row.elapsed;
      open = candidate;
      openEnd = lastEnd + row.idleMillis();
      if (!sum) {
        request = label.name;
        requestStart = lastStart;
        requestEnd = lastEnd;
        lastPart = "";
      }
    }
  }

  /**
   * The roles of rows that do not state theirs, by their index among the valid rows.
   *
   * @param parts rows that are part of a request in an earlier row
   * @param sums rows that sum up a transaction but have no message
   */
  record Roles(BitSet parts, BitSet sums, Overlaps overlaps) {
    boolean isPart(long row) {
      return row <= Integer.MAX_VALUE && parts.get((int) row);
    }

    boolean isSum(long row) {
      return row <= Integer.MAX_VALUE && sums.get((int) row);
    }

    /** The number of consecutive requests from this row on. */
    int requestsFrom(long row, int most) {
      if (row > Integer.MAX_VALUE) {
        return most;
      }
      int part = parts.nextSetBit((int) row);
      int sum = sums.nextSetBit((int) row);
      int length = part < 0 ? most : (int) Math.min(most, part - row);
      return sum < 0 ? length : (int) Math.min(length, sum - row);
    }
  }

  /**
   * JMeter's names of the sub-results of a request (redirects, embedded resources): the request's
   * name, a dash and a number from 0; nested sub-results have another dash and number.
   */
  static final class PartName {
    private PartName() {}

    /** Whether a label could be that of a sub-result. */
    static boolean isOne(String label) {
      int dash = label.lastIndexOf('-');
      return dash >= 0 && isNumbers(label, dash);
    }

    /** Whether a label is that of a sub-result of {@code request}. */
    static boolean isOf(String label, String request) {
      return label.startsWith(request) && isNumbers(label, request.length());
    }

    /**
     * Whether JMeter writes the first of two sub-results of one request before the second: it
     * numbers them from 0, and nested ones after the one that they are part of.
     */
    static boolean isBefore(String first, String second, String request) {
      return Arrays.compare(numbers(first, request), numbers(second, request)) < 0;
    }

    private static BigInteger[] numbers(String label, String request) {
      return Arrays.stream(label.substring(request.length() + 1).split("-", -1))
          .map(BigInteger::new)
          .toArray(BigInteger[]::new);
    }

    /** The name without its last dash and number. */
    static String parent(String label) {
      return label.substring(0, label.lastIndexOf('-'));
    }

    /** Whether the rest of the label consists of dashes, each followed by digits. */
    private static boolean isNumbers(String label, int from) {
      int at = from;
      while (at < label.length()) {
        int digits = label.charAt(at) == '-' ? at + 1 : label.length();
        at = digits;
        while (at < label.length() && label.charAt(at) >= '0' && label.charAt(at) <= '9') {
          at++;
        }
        if (at == digits) {
          return false;
        }
      }
      return from < label.length();
    }
  }
}
