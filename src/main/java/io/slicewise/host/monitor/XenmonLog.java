package io.slicewise.host.monitor;

import static java.util.stream.Collectors.toList;

import io.slicewise.host.monitor.LogLines.Damage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One log file of xenmon: the rows of one domain in order, and the damage.
 *
 * @param damagedLines numbers of damaged lines that may have been rows, ascending
 */
record XenmonLog(String name, List<XenmonRow> rows, Damage damage, List<Integer> damagedLines) {
  private static final int COLUMNS = 16;
  private static final int LARGEST_PCPU = 4095;
  private static final int LARGEST_DOMAIN = 32767;

  /** A pCPU has 10⁹ ns per second; the rest allows for the edges of xenbaked's samples. */
  private static final double LARGEST_RUN_RATE = 1.5e9;

  private static final double LONGEST_RUN_MILLIS = 1e10;

  private static final Pattern DOMAIN_IN_NAME = Pattern.compile("-dom(\\d{1,5})\\.log");
  private static final Pattern BLANKS = Pattern.compile("\\s+");

  XenmonLog {
    rows = List.copyOf(rows);
    damagedLines = List.copyOf(damagedLines);
  }

  /** Returns the domain of the file, from its name, otherwise from its rows. */
  OptionalInt domain() {
    Matcher named = DOMAIN_IN_NAME.matcher(name);
    if (named.find()) {
      return OptionalInt.of(Integer.parseInt(named.group(1)));
    }
    return rows.isEmpty() ? OptionalInt.empty() : OptionalInt.of(rows.get(0).domain());
  }

  static XenmonLog read(Path file) {
    Parser parser = new Parser();
    LogLines.read(file, parser.damage, parser::line);
    return parser.log(String.valueOf(file.getFileName()));
  }

  static XenmonLog read(String name, InputStream in) throws IOException {
    Parser parser = new Parser();
    LogLines.read(in, parser.damage, parser::line);
    return parser.log(name);
  }

  private static final class Parser {
    private final Damage damage = new Damage();
    private final List<XenmonRow> rows = new ArrayList<>();
    private final List<Integer> damaged = new ArrayList<>();
    private int expectedLine = 1;
    private boolean headerSeen;

    void line(int number, String text, boolean complete) {
      noteSkipped(number);
      if (text.isBlank()) {
        return;
      }
      if (text.startsWith("#")) {
        header(number);
        return;
      }
      String[] fields = BLANKS.split(text.strip());
      if (fields.length != COLUMNS) {
        reject(complete ? Damage.Kind.WRONG_FIELDS : Damage.Kind.TRUNCATED, number);
        return;
      }
      try {
        accept(row(number, fields));
      } catch (NumberFormatException e) {
        reject(Damage.Kind.NOT_A_NUMBER, number);
      }
    }

    private void noteSkipped(int number) {
      for (; expectedLine < number; expectedLine++) {
        damaged.add(expectedLine);
      }
      expectedLine = number + 1;
    }

    private void header(int number) {
      if (headerSeen) {
        reject(Damage.Kind.REPEATED_HEADER, number);
      }
      headerSeen = true;
    }

    private static XenmonRow row(int number, String[] fields) {
      return new XenmonRow(
          number,
          Double.parseDouble(fields[0]),
          Integer.parseInt(fields[1]),
          Integer.parseInt(fields[2]),
          Double.parseDouble(fields[3]),
          new XenmonRow.WaitColumns(
              Double.parseDouble(fields[6]),
              Double.parseDouble(fields[10]),
              Double.parseDouble(fields[12])),
          Double.parseDouble(fields[7]),
          Double.parseDouble(fields[13]),
          Double.parseDouble(fields[14]));
    }

    private void accept(XenmonRow row) {
      if (!believable(row)) {
        reject(Damage.Kind.ABSURD, row.line());
      } else {
        rows.add(row);
      }
    }

    private static boolean believable(XenmonRow row) {
      return atLeastZero(row.passedMillis())
          && row.passedMillis() <= LONGEST_RUN_MILLIS
          && row.pcpu() >= 0
          && row.pcpu() <= LARGEST_PCPU
          && row.domain() >= XenmonRow.IDLE
          && row.domain() <= LARGEST_DOMAIN
          && atLeastZero(row.runRate())
          && row.runRate() <= LARGEST_RUN_RATE
          && atLeastZero(row.waits().column7())
          && atLeastZero(row.waits().column11())
          && atLeastZero(row.waits().column13())
          && atLeastZero(row.blockedRate())
          && atLeastZero(row.dispatchRate())
          && atLeastZero(row.ioRate());
    }

    private static boolean atLeastZero(double value) {
      return Double.isFinite(value) && value >= 0;
    }

    private void reject(Damage.Kind kind, int number) {
      damage.add(kind, number);
      damaged.add(number);
    }

    XenmonLog log(String name) {
      Map<Integer, List<XenmonRow>> byPcpu =
          rows.stream().collect(Collectors.groupingBy(XenmonRow::pcpu, TreeMap::new, toList()));
      List<XenmonRow> kept = new ArrayList<>();
      for (List<XenmonRow> ofPcpu : byPcpu.values()) {
        BitSet inOrder =
            TimeOrder.inOrder(ofPcpu.stream().mapToDouble(XenmonRow::passedMillis).toArray());
        for (int i = 0; i < ofPcpu.size(); i++) {
          if (inOrder.get(i)) {
            kept.add(ofPcpu.get(i));
          } else {
            reject(Damage.Kind.BACKWARDS, ofPcpu.get(i).line());
          }
        }
      }
      kept.sort(Comparator.comparingInt(XenmonRow::line));
      damaged.sort(null);
      return new XenmonLog(name, kept, damage, damaged);
    }
  }

  /**
   * Finds the timestamps that are in order: a longest non-decreasing subsequence (Fredman, Discrete
   * Mathematics 11, 1975), so that one wrong timestamp costs one row instead of all following ones.
   */
  private static final class TimeOrder {
    private TimeOrder() {}

    /** Returns the indices to keep; the others go back in time relative to them. */
    static BitSet inOrder(double[] stamps) {
      int[] lastOfLength = new int[stamps.length];
      int[] previous = new int[stamps.length];
      int longest = 0;
      for (int i = 0; i < stamps.length; i++) {
        int length = firstLongerThan(stamps, lastOfLength, longest, stamps[i]);
        previous[i] = length == 0 ? -1 : lastOfLength[length - 1];
        lastOfLength[length] = i;
        longest = Math.max(longest, length + 1);
      }
      BitSet kept = new BitSet(stamps.length);
      for (int i = longest == 0 ? -1 : lastOfLength[longest - 1]; i >= 0; i = previous[i]) {
        kept.set(i);
      }
      return kept;
    }

    private static int firstLongerThan(double[] stamps, int[] ends, int count, double stamp) {
      int low = 0;
      int high = count;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (stamps[ends[middle]] <= stamp) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /**
   * One line of a xenmon log: one domain on one pCPU in one pass. Rates are nanoseconds per second
   * of wall time, whatever xenmon's interval. Column numbers count from 1.
   *
   * @param line line number in its file, from 1
   * @param passedMillis column 1, milliseconds since xenmon's first pass
   * @param pcpu column 2
   * @param domain column 3; -1 is the idle domain
   * @param runRate column 4
   * @param blockedRate column 8
   * @param dispatchRate column 14, dispatches per second
   * @param ioRate column 15, requests of its network and disk backends per second; 0 where xenmon
   *     does not trace them
   */
  record XenmonRow(
      int line,
      double passedMillis,
      int pcpu,
      int domain,
      double runRate,
      WaitColumns waits,
      double blockedRate,
      double dispatchRate,
      double ioRate) {
    static final int IDLE = -1;

    /**
     * The columns that have the wait or show where it is, by {@link XenmonLogs.XenmonLayout}.
     *
     * @param column7 slice granted (Xen up to 4.7) or mean wait (4.8 on), ns per dispatch
     * @param column11 wait (up to 4.7) or meaningless (4.8 on), ns per second
     * @param column13 as column 11, but per dispatch
     */
    record WaitColumns(double column7, double column11, double column13) {}
  }
}
