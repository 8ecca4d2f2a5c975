package io.slicewise.report;

import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SessionEvidence;
import io.slicewise.evidence.analysis.SessionEvidence.InSession;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of switchback sessions: changes from the baseline, in all and session by session. */
final class SessionTables {
  private static final Cell.Change UNKNOWN = new Cell.Change(Double.NaN, Double.NaN, Double.NaN);

  private final SessionEvidence evidence;
  private final LoadAxes axes;
  private final String baseline;
  private final List<Metric> metrics;

  private SessionTables(SweepSummary summary, SessionEvidence evidence, String baseline) {
    this.evidence = evidence;
    this.axes = CellColumns.axes(summary);
    this.baseline = baseline;
    Metric other = evidence.primary().companion();
    this.metrics = List.of(evidence.primary(), other);
  }

  /** Returns the tables that have rows; none of a run of trials. */
  static List<Table> of(SweepSummary summary, String baseline) {
    return summary.sessions().stream()
        .map(evidence -> new SessionTables(summary, evidence, baseline))
        .flatMap(tables -> Stream.of(tables.effects(), tables.bySession()))
        .filter(table -> !table.rows().isEmpty())
        .toList();
  }

  private List<Table.Column> columns(Table.Column... more) {
    return Stream.concat(
            Stream.concat(CellColumns.load(axes).stream(), Stream.of(Table.Column.name("profile"))),
            Stream.of(more))
        .toList();
  }

  private List<Cell> row(Load load, String profile) {
    List<Cell> row = CellColumns.load(axes, load);
    row.add(new Cell.Text(profile));
    return row;
  }

  private Table effects() {
    List<Table.Column> columns =
        new ArrayList<>(
            columns(Table.Column.count("n"), new Table.Column("over", "basis", Table.Type.NAME)));
    metrics.forEach(
        metric -> columns.add(Table.Column.change(metric.key() + " %", metric.key() + "_change")));
    List<List<Cell>> rows = new ArrayList<>();
    for (Comparison first : evidence.effects()) {
      if (first.metric().equals(evidence.primary())) {
        List<Cell> row = row(first.load(), first.profile());
        row.add(new Cell.Count(first.effect().n()));
        row.add(new Cell.Text(first.basis().key()));
        metrics.forEach(metric -> row.add(change(first, metric)));
        rows.add(row);
      }
    }
    return new Table(
        "effects",
        "Change from " + baseline + " within sessions, with 95 % intervals",
        columns,
        rows);
  }

  private Cell change(Comparison row, Metric metric) {
    return evidence.effects().stream()
        .filter(one -> one.metric().equals(metric) && one.load().equals(row.load()))
        .filter(one -> one.profile().equals(row.profile()))
        .findFirst()
        .map(Cell.Change::of)
        .orElse(UNKNOWN);
  }

  private Table bySession() {
    String metric = evidence.primary().key();
    List<List<Cell>> rows = new ArrayList<>();
    for (InSession one : evidence.bySession()) {
      List<Cell> row = row(one.session().load(), one.profile());
      row.add(new Cell.Count(one.session().number()));
      row.add(new Cell.Count(one.blocks()));
      row.add(new Cell.Change(one.percent(), one.low(), one.high()));
      rows.add(row);
    }
    return new Table(
        "sessions",
        "Change of " + metric + " from " + baseline + ", session by session; intervals over blocks",
        columns(
            Table.Column.count("session"),
            Table.Column.count("blocks"),
            Table.Column.change(metric + " %", metric + "_change")),
        rows);
  }
}
