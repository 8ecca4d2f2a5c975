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
}
