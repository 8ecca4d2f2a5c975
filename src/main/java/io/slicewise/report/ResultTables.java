package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.List;

/** The tables of a sweep: throughput and response time by profile and users, shares by domain. */
final class ResultTables {
  private ResultTables() {}

  /** Returns the tables that have rows, including interference if neighbours are swept. */
  static List<Table> of(SweepSummary summary, Experiment experiment, List<TrialResult> results) {
    List<Table> tables = new ArrayList<>(of(summary, Counted.of(experiment, results)));
    boolean measured = summary.cells().stream().anyMatch(cell -> !cell.metrics().isEmpty());
    if (measured && CellColumns.sweepsNeighbours(summary)) {
      tables.add(1, InterferenceTable.of(summary, experiment, results));
    }
    return List.copyOf(tables);
  }

  static List<Table> of(SweepSummary summary) {
    return of(summary, Counted.THROUGHPUT);
  }

  private static List<Table> of(SweepSummary summary, Counted counted) {
    List<Table> tables = new ArrayList<>();
    if (summary.cells().stream().anyMatch(cell -> !cell.metrics().isEmpty())) {
      tables.add(load(summary, counted));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.labels().isEmpty())) {
      tables.add(LabelTables.labels(summary));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.measures().isEmpty())) {
      tables.add(LabelTables.measures(summary));
    }
    tables.addAll(ObservedTables.of(summary));
    return summary.origin().isSimulated()
        ? tables.stream().map(table -> table.entitled(table.title() + ", simulated")).toList()
        : List.copyOf(tables);
  }

  private static Table load(SweepSummary summary, Counted counted) {
    List<Table.Column> columns =
        CellColumns.and(
            summary,
            new Table.Column(counted.rate(), "throughput"),
            new Table.Column("mean ms", "mean_ms"),
            new Table.Column("p50 ms", "p50_ms"),
            new Table.Column("p95 ms", "p95_ms"),
            new Table.Column("p99 ms", "p99_ms"),
            new Table.Column("errors %", "errors"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : summary.cells()) {
      rows.add(
          CellColumns.row(
              cell,
              cell.n(),
              CellColumns.metric(cell.metrics(), Metric.THROUGHPUT, 1, 1),
              CellColumns.metric(cell.metrics(), Metric.MEAN, 1, 1),
              CellColumns.metric(cell.metrics(), Metric.P50, 1, 0),
              CellColumns.metric(cell.metrics(), Metric.P95, 1, 0),
              CellColumns.metric(cell.metrics(), Metric.P99, 1, 0),
              CellColumns.metric(cell.metrics(), Metric.ERRORS, 100, 1)));
    }
    return new Table("load", counted.title() + ", mean of trials ± 95 % interval", columns, rows);
  }
}
