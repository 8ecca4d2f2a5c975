package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.LabelSummary;
import io.slicewise.evidence.analysis.CellSummary.MeasureSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import java.util.ArrayList;
import java.util.List;

/** The tables of labels and of a workload's own measures. */
final class LabelTables {
  private LabelTables() {}

  static Table labels(SweepSummary summary) {
    List<Table.Column> columns =
        CellColumns.and(
            summary,
            new Table.Column("label", "label"),
            new Table.Column("throughput /s", "throughput"),
            new Table.Column("mean ms", "mean_ms"),
            new Table.Column("p95 ms", "p95_ms"),
            new Table.Column("errors %", "errors"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : summary.cells()) {
      for (LabelSummary label : cell.labels()) {
        rows.add(
            CellColumns.row(
                cell,
                label.metrics().getOrDefault(Metric.THROUGHPUT, CellColumns.NOT_MEASURED).n(),
                new Cell.Name(label.label()),
                CellColumns.metric(label.metrics(), Metric.THROUGHPUT, 1, 2),
                CellColumns.metric(label.metrics(), Metric.MEAN, 1, 1),
                CellColumns.metric(label.metrics(), Metric.P95, 1, 0),
                CellColumns.metric(label.metrics(), Metric.ERRORS, 100, 1)));
      }
    }
    return new Table("labels", "By label, mean of trials ± 95 % interval", columns, rows);
  }

  static Table measures(SweepSummary summary) {
    List<Table.Column> columns =
        CellColumns.and(
            summary,
            new Table.Column("measure", "measure"),
            new Table.Column("unit", "unit"),
            new Table.Column("value", "value"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : summary.cells()) {
      for (MeasureSummary measure : cell.measures()) {
        rows.add(
            CellColumns.row(
                cell,
                measure.estimate().n(),
                new Cell.Name(measure.name()),
                new Cell.Name(measure.unit()),
                new Cell.Measured(measure.estimate(), 1, 3)));
      }
    }
    return new Table(
        "measures", "The workload's own measures, mean of trials ± 95 % interval", columns, rows);
  }
}
