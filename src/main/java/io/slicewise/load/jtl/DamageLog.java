package io.slicewise.load.jtl;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Counts damage by kind and remembers the first few lines of each. */
final class DamageLog implements Serializable {
  private static final long serialVersionUID = 1L;

  static final int LINES_KEPT = 5;

  private final Map<DamageKind, Entry> entries = new EnumMap<>(DamageKind.class);

  /**
   * @param line 1-based
   */
  void note(DamageKind kind, long line) {
    entries.computeIfAbsent(kind, none -> new Entry()).add(1, List.of(line), 0);
  }

  /**
   * Adds the damage found in a later part of the same file.
   *
   * @param linesBefore lines of the file above that part
   */
  void append(DamageLog later, long linesBefore) {
    later.entries.forEach(
        (kind, entry) ->
            entries
                .computeIfAbsent(kind, none -> new Entry())
                .add(entry.count, entry.lines, linesBefore));
  }

  List<Reduction.Damage> report() {
    List<Reduction.Damage> report = new ArrayList<>();
    entries.forEach(
        (kind, entry) -> report.add(new Reduction.Damage(kind.text(), entry.count, entry.lines)));
    return report;
  }

  private static final class Entry implements Serializable {
    private static final long serialVersionUID = 1L;

    private long count;
    private final List<Long> lines = new ArrayList<>();

    void add(long more, List<Long> at, long linesBefore) {
      count += more;
      for (long line : at) {
        if (lines.size() < LINES_KEPT) {
          lines.add(line + linesBefore);
        }
      }
    }
  }

  /** The kinds of damage to a row, with the text of their footnotes. */
  enum DamageKind {
    CUT_ROW("row cut short at the file's end"),
    CUT_GZIP("compressed data cut short or broken"),
    UNCLOSED("XML file not closed"),
    NUL_BYTES("row with NUL bytes"),
    TOO_FEW_FIELDS("row with too few fields"),
    TOO_MANY_FIELDS("row with too many fields"),
    BAD_QUOTES("row with broken quoting"),
    TOO_LONG("row longer than a megabyte"),
    BAD_NUMBER("row with an unreadable number"),
    BAD_STAMP("row with an unreadable timestamp"),
    NEGATIVE("row with a negative number"),
    ABSURD("row with an absurd time"),
    UNTIMED(
        "failed sample with the time 0, as JMeter writes for a request that it could not make (in no"
            + " second, and so in neither samples nor errors)"),
    LASTING("row with a duration above 24 hours (86400000 ms)"),
    BAD_SUCCESS("row with neither true nor false for success"),
    BAD_TAG("XML element that cannot be read"),
    HALF_CHARACTER("label with half a character (counted)"),
    BACKWARDS("time more than a second before the row above (counted)"),
    NEW_HEADER("header line amid the rows"),
    MANY_LABELS("label beyond the first 4096 (counted as others)"),
    MANY_CODES("response code beyond a label's first 256 (counted as others)"),
    NO_SERIES("series longer than 100000 seconds, not made");

    private final String words;

    DamageKind(String words) {
      this.words = words;
    }

    String text() {
      return words;
    }
  }
}
