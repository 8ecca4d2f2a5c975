package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.LabelSummary;
import io.slicewise.evidence.analysis.CellSummary.MeasureSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.report.Table.Column;
import java.util.ArrayList;
import java.util.List;

/** The tables of labels and of a workload's own measures. */
final class LabelTables {
  private LabelTables() {}

  static Table labels(CellColumns cells) {
    List<Column> columns =
        cells.and(
            Column.name("label"),
            Column.measured("throughput /s", "throughput"),
            Column.measured("mean ms", "mean_ms"),
            Column.measured("p95 ms", "p95_ms"),
            Column.measured("errors %", "errors"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : cells.summary().cells()) {
      for (LabelSummary label : cell.labels()) {
        rows.add(
            cells.row(
                cell,
                label.metrics().getOrDefault(Metric.THROUGHPUT, CellColumns.NOT_MEASURED).n(),
                new Cell.Text(label.label()),
                CellColumns.metric(label.metrics(), Metric.THROUGHPUT, 1, 2),
                CellColumns.metric(label.metrics(), Metric.MEAN, 1, 1),
                CellColumns.metric(label.metrics(), Metric.P95, 1, 0),
                CellColumns.metric(label.metrics(), Metric.ERRORS, 100, 1)));
      }
    }
    return new Table("labels", "By label, " + cells.meanOf(), columns, rows);
  }

  static Table measures(CellColumns cells) {
    List<Column> columns =
        cells.and(Column.name("measure"), Column.name("unit"), Column.measured("value", "value"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : cells.summary().cells()) {
      for (MeasureSummary measure : cell.measures()) {
        rows.add(
            cells.row(
                cell,
                measure.estimate().n(),
                new Cell.Text(measure.name()),
                new Cell.Text(measure.unit()),
                new Cell.Measured(measure.estimate(), 1, 3)));
      }
    }
    return new Table("measures", "The workload's own measures, " + cells.meanOf(), columns, rows);
  }
}
