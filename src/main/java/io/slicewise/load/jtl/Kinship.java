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
 * message, URL and data type may be a sum if the request before it on its thread is within its
 * time, or the requests after it, which JMeter writes below a parent sample. Requests of another
 * generator with equal thread names are, too, by chance: but their times cross others of the
 * thread, and they do not end with the request within them, as most sums of a transaction do. So a
 * label is judged as a whole ({@link Label#isSum}), and what remains undecided counts as requests.
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

  /** Rows that may be sums, or are ones by their time, and their labels. */
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
    if (row.count > 1) {
      return;
    }
    Label label = label(row);
    Origin origin = row.threadEnd > row.threadStart ? origin(row) : null;
    label.sums += row.transaction ? 1 : 0;
    if (origin == null) {
      noteBare(row, number, label);
    } else if (!row.transaction && origin.isPart(row, label.name)) {
      parts.set(number);
    } else {
      origin.resolve(row, label, this);
      boolean within = row.isBare() && origin.endsIn(row);
      if (within) {
        find(number, label, origin.endsWith(row));
      }
      noteBare(row, number, label);
      if (!row.transaction && !within) {
        requests++;
        overlaps += (row.described ? origin.isBusy(row) : origin.isCrossed(row)) ? 1 : 0;
      }
      boolean candidate = row.isBare() && !within && !row.wholeSecond;
      origin.pass(row, label, candidate ? number : Origin.NONE, row.transaction || within);
    }
  }

  /** Notes that a row is a sum by its time. */
  private void find(int number, Label label, boolean exact) {
    sums.set(number);
    label.found++;
    label.exact += exact ? 1 : 0;
    if (hidden) {
      keep(number, label);
    }
  }

  private void noteBare(Row row, int number, Label label) {
    if (row.isBare() && revealed) {
      label.bare++;
      if (!hidden) {
        keep(number, label);
      }
    }
  }

  private void keep(int number, Label label) {
    if (bareCount == bare.length) {
      bare = Arrays.copyOf(bare, 2 * bareCount);
      bareLabels = Arrays.copyOf(bareLabels, 2 * bareCount);
    }
    bare[bareCount] = number;
    bareLabels[bareCount++] = label;
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
    origins.values().forEach(Origin::close);
    Overlaps all = new Overlaps(overlaps, requests);
    boolean merged = all.areMany();
    long undecided = 0;
    for (int i = 0; i < bareCount; i++) {
      Label label = bareLabels[i];
      if (label.isWhollySums(merged)) {
        sums.set(bare[i]);
      } else if (!label.isSum(merged) && (label.sums > 0 || sums.get(bare[i]))) {
        sums.clear(bare[i]);
        undecided++;
      }
    }
    boolean named =
        labels.keySet().stream()
            .anyMatch(name -> PartName.isOne(name) && labels.containsKey(PartName.parent(name)));
    return new Roles(parts, sums, named ? all : new Overlaps(0, requests), undecided);
  }

  /** A label and its rows. */
  private static final class Label {
    /** One in so many rows of a sum is found by its time, even if requests have the same label. */
    private static final int RAREST = 4;

    private final String name;

    /** Rows with the message of a transaction. */
    private int sums;

    /** Rows without message, URL and data type, and how many of them were sums by their time. */
    private int bare;

    private int found;

    /** How many of those end with the last request within them. */
    private int exact;

    Label(String name) {
      this.name = name;
    }

    /** Whether the rows that are sums by their time are sums. */
    boolean isSum(boolean merged) {
      return !merged && 2 * exact > found && RAREST * found >= bare;
    }

    /** Whether all rows without message, URL and data type are sums. */
    boolean isWhollySums(boolean merged) {
      return sums > 0
          ? 2 * (merged ? bare : bare - found) <= sums
          : isSum(merged) && 2 * found > bare;
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
    private Label openLabel;

    /** The label of a sum above its requests, while they follow; {@code null} if none do. */
    private Label above;

    private long aboveStart;
    private long aboveEnd;
    private long endInside;

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

    /**
     * Whether a row begins during the previous one and ends after it, as no sum or request does.
     */
    boolean isCrossed(Row row) {
      return !row.wholeSecond
          && lastStart + 1 < row.timeStamp
          && row.timeStamp + 1 < lastEnd
          && lastEnd + 1 < row.timeStamp + row.elapsed;
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

    /** Whether a sum that ends like this has ended with the previous row. */
    boolean endsWith(Row row) {
      return isEnd(lastEnd, row.timeStamp, row.timeStamp + row.elapsed + row.idleMillis());
    }

    /** JMeter may take a while to process a response before it ends the transaction. */
    private static boolean isEnd(long inside, long start, long end) {
      return 10 * (end - inside) <= end - start + 20;
    }

    /**
     * Decides whether the previous row, if it may be a sum, is one: whether this row is within its
     * time.
     */
    void resolve(Row row, Label label, Kinship all) {
      if (above != null && row.timeStamp + row.elapsed > aboveEnd) {
        close();
      }
      endInside = Math.max(endInside, row.timeStamp + row.elapsed);
      boolean within =
          open != NONE
              && !(row.transaction && label == openLabel)
              && row.timeStamp >= lastStart
              && row.timeStamp < openEnd
              && row.timeStamp + row.elapsed <= openEnd;
      if (within) {
        close();
        all.find(open, openLabel, false);
        above = openLabel;
        aboveStart = lastStart;
        aboveEnd = openEnd;
        endInside = row.timeStamp + row.elapsed;
        // It turned out not to be a request.
        request = null;
      }
    }

    /** Ends the rows below a sum. */
    void close() {
      if (above != null && isEnd(endInside, aboveStart, aboveEnd)) {
        above.exact++;
      }
      above = null;
    }

    void pass(Row row, Label label, int candidate, boolean sum) {
      lastStart = row.timeStamp;
      lastEnd = row.timeStamp + row.elapsed;
      open = candidate;
      openLabel = label;
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
   * @param undecided rows that may be such sums and count as requests
   */
  record Roles(BitSet parts, BitSet sums, Overlaps overlaps, long undecided) {
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
