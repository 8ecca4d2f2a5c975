package io.slicewise.analysis;

import io.slicewise.analysis.StudyTable.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Holds a study's printed tables against physics and against each other. */
public final class PublishedCheck {
  private PublishedCheck() {}

  /** Everything that cannot be as printed, by rule, then in the order of the table. */
  public static List<StudyFinding> findings(StudyTable table) {
    List<StudyFinding> findings = new ArrayList<>();
    findings.addAll(StudyShares.findings(table));
    findings.addAll(StudyMoves.findings(table));
    findings.addAll(StudyRates.findings(table));
    findings.addAll(StudyIntervals.findings(table));
    findings.sort(Comparator.comparing(StudyFinding::rule));
    return findings;
  }

  /** The same as violations. */
  public static List<Violation> violations(StudyTable table) {
    return findings(table).stream().map(Violation::of).toList();
  }

  /** The rows of a metric. */
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
