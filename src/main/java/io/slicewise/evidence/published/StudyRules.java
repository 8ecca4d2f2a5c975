package io.slicewise.evidence.published;

import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Checks a study of profiles and users against physics and for consistency. */
final class StudyRules {
  private StudyRules() {}

  /** Returns all violations, by rule and table order. */
  static List<Violation> findings(StudyTable table) {
    List<Violation> findings = new ArrayList<>();
    findings.addAll(StudyShares.findings(table));
    findings.addAll(StudyIdle.findings(table));
    findings.addAll(StudyMoves.findings(table));
    findings.addAll(StudyRates.findings(table));
    findings.addAll(StudyIntervals.findings(table));
    findings.sort(TableRule.ORDER);
    return findings;
  }

  /** The number of checks of each rule for single cells. */
  static Map<String, Integer> asked(StudyTable table) {
    Map<String, Integer> asked = new LinkedHashMap<>();
    asked.put(TableRule.SHARES.key(), rows(table, "run").size());
    List<Row> rates = rows(table, "throughput");
    asked.put(
        TableRule.LITTLES_LAW.key(),
        rates.stream().mapToInt(rate -> sameCell(table, rate, "response_time").size()).sum());
    asked.put(TableRule.RUN_MISSING.key(), (int) rates.stream().filter(Row::hasInterval).count());
    asked.put(
        TableRule.INTERVAL_N.key(),
        (int) rows(table, "response_time").stream().filter(Row::hasInterval).count());
    asked.put(
        TableRule.IDLE.key(),
        (int)
            rows(table, "run").stream()
                .filter(run -> !sameCell(table, run, "throughput").isEmpty())
                .count());
    asked.values().removeIf(times -> times == 0);
    return asked;
  }

  /** Rules that could not be checked, with the reason. */
  static List<PublishedTables.Skipped> skipped(StudyTable table) {
    List<PublishedTables.Skipped> skipped = new ArrayList<>();
    List<Row> rates = rows(table, "throughput");
    add(
        TableRule.LITTLES_LAW,
        rates.stream().filter(rate -> sameCell(table, rate, "response_time").isEmpty()).toList(),
        "no response_time is printed for the rate",
        skipped);
    add(
        TableRule.COLUMN,
        StudyRates.collapsed(table),
        "the rate's deviation exceeds half of its mean: the cell collapsed",
        skipped);
    boolean intervals = rates.stream().anyMatch(Row::hasInterval);
    add(
        TableRule.INTERVAL_N,
        intervals
            ? List.of()
            : rows(table, "response_time").stream().filter(Row::hasInterval).toList(),
        "no interval of a rate says how many runs there were",
        skipped);
    List<Row> incomplete = StudyMoves.incomplete(table);
    for (TableRule rule : List.of(TableRule.MOVED, TableRule.JUMP)) {
      add(
          rule,
          incomplete,
          "a domain's shares are not printed for every profile and load",
          skipped);
    }
    add(
        TableRule.IDLE,
        rows(table, "run").stream()
            .filter(run -> sameCell(table, run, "throughput").isEmpty())
            .toList(),
        "no throughput is printed for the cell",
        skipped);
    return skipped;
  }

  private static void add(
      TableRule rule, List<Row> rows, String reason, List<PublishedTables.Skipped> skipped) {
    if (!rows.isEmpty()) {
      skipped.add(
          new PublishedTables.Skipped(rule.key(), rows.size(), rows.get(0).place(), reason));
    }
  }

  static List<Row> rows(StudyTable table, String metric) {
    return table.rows().stream().filter(row -> row.metric().equals(metric)).toList();
  }

  /** The rows of a metric in the cell of another row. */
  static List<Row> sameCell(StudyTable table, Row row, String metric) {
    return rows(table, metric).stream()
        .filter(other -> other.profile().equals(row.profile()) && other.users() == row.users())
        .toList();
  }
}
