package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.experiment.load.Axis;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The cases of a study that were measured under the same conditions, such as warm caches on one
 * server, and are described by the same columns.
 *
 * @param conditions column and value
 * @param columns that distinguish its cases, such as {@code query}
 */
public record StudyArm(Map<String, String> conditions, List<String> columns, Cells cells) {
  /** The columns that describe conditions; all others describe a case. */
  private static final Set<String> CONDITIONS =
      Stream.concat(
              Stream.of("experiment", "server", "state", "connection", "versions", "profile"),
              Axis.drivers().stream().map(Axis::key))
          .collect(Collectors.toUnmodifiableSet());

  public StudyArm {
    conditions = new TreeMap<>(conditions);
    columns = List.copyOf(columns);
  }

  private record Key(Map<String, String> conditions, List<String> columns) {}

  /** The arms of some cells, in their order. */
  public static List<StudyArm> of(Cells cells) {
    Map<Key, List<StudyCell>> arms = new LinkedHashMap<>();
    for (StudyCell cell : cells.all()) {
      Map<String, String> conditions = new TreeMap<>(cell.of());
      conditions.keySet().retainAll(CONDITIONS);
      List<String> columns = new ArrayList<>(cell.of().keySet());
      columns.removeAll(CONDITIONS);
      arms.computeIfAbsent(new Key(conditions, columns), key -> new ArrayList<>()).add(cell);
    }
    return arms.entrySet().stream()
        .map(
            arm ->
                new StudyArm(
                    arm.getKey().conditions(), arm.getKey().columns(), new Cells(arm.getValue())))
        .toList();
  }

  /** Returns its conditions as its name, such as {@code connection per query, warm, 1 user}. */
  public String name() {
    return conditions.isEmpty() ? "all" : String.join(", ", named(conditions));
  }

  /** Returns a phrase for each condition. */
  static List<String> named(Map<String, String> conditions) {
    return conditions.entrySet().stream()
        .map(condition -> named(condition.getKey(), condition.getValue()))
        .toList();
  }

  private static String named(String column, String value) {
    return switch (column) {
      case "connection" -> value.equals("query") ? "connection per query" : "connection " + value;
      case "versions" -> "versions " + value;
      default ->
          Axis.drivers().stream()
              .filter(axis -> axis.key().equals(column))
              .map(axis -> axis.text(value))
              .findFirst()
              .orElse(value);
    };
  }

  /** The name of a case: the values of the other columns. */
  public String caseOf(StudyCell cell) {
    return columns.stream().map(column -> cell.of().get(column)).collect(Collectors.joining(", "));
  }

  /** The cells of one tier that have all of these metrics. */
  public List<StudyCell> on(String tier, String... metrics) {
    return cells.all().stream()
        .filter(cell -> cell.tier().equals(tier) && cell.has(metrics))
        .toList();
  }

  /** The cases that have all of these metrics on the machine without and with Xen. */
  public List<Pair> pairs(String... metrics) {
    return cells.pairs(Tiers.BASE, Tiers.XEN, metrics);
  }
}
