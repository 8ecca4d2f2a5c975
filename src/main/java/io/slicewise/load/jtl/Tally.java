package io.slicewise.load.jtl;

import io.slicewise.load.jtl.text.Words;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** The counts of one label. */
final class Tally implements Serializable {
  private static final long serialVersionUID = 1L;

  private final String label;
  private final Times responses = new Times();
  private final Times latencies = new Times();
  private final ErrorCodes errors = new ErrorCodes();
  private long received;
  private long sent;

  Tally(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /**
   * @param latency -1 if the file does not contain it
   */
  void add(int elapsed, int latency, long receivedBytes, long sentBytes) {
    responses.record(elapsed);
    if (latency >= 0) {
      latencies.record(latency);
    }
    received += receivedBytes;
    sent += sentBytes;
  }

  /** Adds a row that sums up several samples. */
  void addSum(Row row) {
    responses.addSum(row.count, row.elapsed);
    if (row.latency >= 0) {
      latencies.addSum(row.count, row.latency);
    }
    received += row.received;
    sent += row.sent;
  }

  /** The errors of the failed samples. */
  ErrorCodes errors() {
    return errors;
  }

  void add(Tally other) {
    responses.add(other.responses);
    latencies.add(other.latencies);
    errors.add(other.errors);
    received += other.received;
    sent += other.sent;
  }

  /** The summary; nothing may be counted afterwards. */
  SampleSummary summary() {
    Map<String, Long> byCode = errors.byCode();
    long failed = byCode.values().stream().mapToLong(Long::longValue).sum();
    return new SampleSummary(
        label, failed, byCode, responses.distribution(), latencies.distribution(), received, sent);
  }

  /**
   * Errors by response code. A file has few codes, and they are short: the first spellings are kept
   * as words and recognized without creating a string for each.
   */
  static final class ErrorCodes implements Serializable {
    private static final long serialVersionUID = 1L;

    static final String OTHERS = "(other codes)";

    /** The longest spelling that fits in a word. */
    static final int LONGEST_WORD = 8;

    private static final int KEPT = 8;

    private final Map<String, Count> counts = new LinkedHashMap<>();
    private final long[] words = new long[KEPT];
    private final int[] lengths = new int[KEPT];
    private final Count[] kept = new Count[KEPT];
    private int spellings;

    /**
     * Counts the error of a row.
     *
     * @param decoder decodes a code as spelled in the file
     * @return whether the code has its own count
     */
    boolean add(Row row, UnaryOperator<String> decoder, int most) {
      int length = row.codeEnd - row.codeStart;
      boolean word = row.spelt && length <= LONGEST_WORD;
      long spelling = word ? Words.first(Words.at(row.bytes, row.codeStart), length) : 0;
      if (word && addKept(spelling, length)) {
        return true;
      }
      String text = new String(row.bytes, row.codeStart, length, StandardCharsets.UTF_8);
      String code = row.spelt ? decoder.apply(text) : text;
      boolean own = add(code, most);
      if (own && word) {
        keep(spelling, length, code);
      }
      return own;
    }

    /**
     * Counts an error whose code has a spelling that was kept.
     *
     * @param word the spelling, padded with zeros
     * @return false if it was not
     */
    boolean addKept(long word, int length) {
      for (int i = 0; i < spellings; i++) {
        if (words[i] == word && lengths[i] == length) {
          kept[i].errors++;
          return true;
        }
      }
      return false;
    }

    /**
     * Counts an error.
     *
     * @return whether the code has its own count
     */
    boolean add(String code, int most) {
      boolean own = counts.containsKey(code) || counts.size() < most;
      count(own ? code : OTHERS).errors++;
      return own;
    }

    /** Keeps the spelling of a code that has been counted, if there is room. */
    void keep(long word, int length, String code) {
      if (spellings < KEPT) {
        words[spellings] = word;
        lengths[spellings] = length;
        kept[spellings++] = count(code);
      }
    }

    private Count count(String code) {
      return counts.computeIfAbsent(code, none -> new Count());
    }

    /** The number of different codes. */
    int size() {
      return counts.size();
    }

    void add(ErrorCodes other) {
      other.counts.forEach((code, count) -> count(code).errors += count.errors);
    }

    /** The number of errors for each code. */
    Map<String, Long> byCode() {
      Map<String, Long> byCode = new LinkedHashMap<>();
      counts.forEach((code, count) -> byCode.put(code, count.errors));
      return byCode;
    }

    private static final class Count implements Serializable {
      private static final long serialVersionUID = 1L;

      private long errors;
    }
  }

  /**
   * Counts durations in whole milliseconds. Nearly all response times are below 8,192 ms, with one
   * array cell per millisecond; everything else is computed from the cells at the end. The rest
   * goes to {@link SlowTimes}.
   */
  static final class Times implements Serializable {
    private static final long serialVersionUID = 1L;

    /** Below this, every millisecond has a cell. */
    static final int EXACT_BELOW = 8192;

    /** A day; a longer duration is damage. */
    static final int LONGEST = 86_400_000;

    private static final int FIRST_SIZE = 256;

    private long[] cells = new long[FIRST_SIZE];

    /** Samples of which only the sum of their durations is known. */
    private long summed;

    private long summedMillis;

    /** The durations without a cell; {@code null} while there are none, as for most labels. */
    private SlowTimes slow;

    /**
     * @param millis 0 to {@link #LONGEST}
     */
    void record(int millis) {
      if (millis < cells.length) {
        cells[millis]++;
      } else {
        recordLarge(millis);
      }
    }

    void addSum(int count, long millis) {
      summed += count;
      summedMillis += millis;
    }

    private void recordLarge(int millis) {
      if (millis < EXACT_BELOW) {
        cells = Arrays.copyOf(cells, 2 * Integer.highestOneBit(millis));
        cells[millis]++;
        return;
      }
      if (slow == null) {
        slow = new SlowTimes();
      }
      slow.record(millis);
    }

    void add(Times other) {
      if (other.cells.length > cells.length) {
        cells = Arrays.copyOf(cells, other.cells.length);
      }
      for (int millis = 0; millis < other.cells.length; millis++) {
        cells[millis] += other.cells[millis];
      }
      summed += other.summed;
      summedMillis += other.summedMillis;
      if (other.slow != null) {
        slow = slow == null ? new SlowTimes() : slow;
        slow.add(other.slow);
      }
    }

    /** The distribution; nothing may be counted afterwards. */
    Distribution distribution() {
      return new Distribution(cells, Optional.ofNullable(slow), summed, summedMillis);
    }
  }
}
