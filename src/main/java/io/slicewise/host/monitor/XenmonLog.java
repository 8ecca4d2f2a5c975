package io.slicewise.host.monitor;

import static java.util.stream.Collectors.toList;

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
          Double.parseDouble(fields[6]),
          Double.parseDouble(fields[7]),
          Double.parseDouble(fields[10]),
          Double.parseDouble(fields[12]),
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
          && atLeastZero(row.perDispatch())
          && atLeastZero(row.blockedRate())
          && atLeastZero(row.waitedRate())
          && atLeastZero(row.waitedPerDispatch())
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
}
