package io.slicewise.evidence.study;

import io.slicewise.evidence.published.PublishedNumber;
import io.slicewise.evidence.study.StudyData.Pair;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The cells of a study, by case and tier. */
public record Cells(List<StudyCell> all) {
  /** Names of table rows that are derived from others. */
  private static final Set<String> MADE =
      Set.of("overall", "total", "sum", "all", "average", "mean");

  public Cells {
    all = List.copyOf(all);
  }

  private record Of(Map<String, String> of, String tier) {}

  /**
   * The cells of published tables: numbers of the same case and tier form one cell, in whatever
   * tables they were printed; of repeated numbers the last counts. Totals are omitted.
   */
  public static Cells published(List<PublishedNumber> numbers) {
    Map<Of, Map<String, Double>> cells = new LinkedHashMap<>();
    for (PublishedNumber number : numbers) {
      if (number.keys().values().stream().noneMatch(Cells::isMade)) {
        cells
            .computeIfAbsent(new Of(number.keys(), number.side()), of -> new TreeMap<>())
            .put(number.metric(), number.value());
      }
    }
    List<StudyCell> all = new ArrayList<>();
    cells.forEach((cell, values) -> all.add(new StudyCell(cell.of(), cell.tier(), values)));
    return new Cells(all);
  }

  private static boolean isMade(String name) {
    return MADE.contains(name.trim().toLowerCase(Locale.ROOT));
  }

  private StudyCell change(StudyCell cell, String second) {
    String tier = second + "-" + cell.tier();
    return find(cell.of(), tier).orElseGet(() -> new StudyCell(cell.of(), tier, Map.of()));
  }

  /** The cells with a value in a column. */
  public Cells where(String column, String name) {
    return new Cells(all.stream().filter(cell -> name.equals(cell.of().get(column))).toList());
  }

  /** The cell of a case on a tier. */
  public Optional<StudyCell> find(Map<String, String> of, String tier) {
    return all.stream()
        .filter(cell -> cell.tier().equals(tier) && cell.of().equals(of))
        .findFirst();
  }

  /** The cases that have all of these metrics on both tiers, in their order. */
  public List<Pair> pairs(String first, String second, String... metrics) {
    return all.stream()
        .filter(cell -> cell.tier().equals(first) && cell.has(metrics))
        .flatMap(
            cell ->
                find(cell.of(), second).stream()
                    .filter(other -> other.has(metrics))
                    .map(other -> new Pair(cell, other, change(cell, second))))
        .toList();
  }

  /**
   * The counters of one case on one tier, per execution: from a trial of a run, or a row of a
   * published table.
   *
   * @param of the case: an experiment or arm, a query, a server, a number of neighbours
   * @param tier {@code base}, {@code xen} for a guest, {@code dom0}, {@code actual} for the amount
   *     needed
   * @param values by metric; times in seconds
   */
  public record StudyCell(Map<String, String> of, String tier, Map<String, Double> values) {
    public StudyCell {
      of = new TreeMap<>(of);
      values = new TreeMap<>(values);
    }

    /** The value of a metric; {@code NaN} if it was not measured. */
    public double value(String metric) {
      return values.getOrDefault(metric, Double.NaN);
    }

    /** Whether all of these were measured. */
    public boolean has(String... metrics) {
      for (String metric : metrics) {
        if (Double.isNaN(value(metric))) {
          return false;
        }
      }
      return true;
    }
  }

  /** The names of the tiers on which a study reads counters. */
  public static final class Tiers {
    /** The machine without a hypervisor. */
    public static final String BASE = "base";

    /** A guest. */
    public static final String XEN = "xen";

    /** The control domain, with the physical disks. */
    public static final String CONTROL = "dom0";

    /** The disk of a guest as its backend serves it. */
    public static final String BACKEND = "backend";

    /** The amount that a database needs. */
    public static final String ACTUAL = "actual";

    private Tiers() {}
  }
}
