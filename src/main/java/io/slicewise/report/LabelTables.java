package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.LabelSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.stats.Estimate;

/** The tables of labels and of a workload's own measures. */
final class LabelTables {
  private LabelTables() {}

  static Table labels(CellColumns cells) {
    return cells
        .table(CellSummary::labels, label -> metric(label, Metric.THROUGHPUT).n())
        .name("label", row -> row.part().label())
        .measured("throughput /s", "throughput", 1, 2, row -> metric(row.part(), Metric.THROUGHPUT))
        .measured("mean ms", "mean_ms", 1, 1, row -> metric(row.part(), Metric.MEAN))
        .measured("p95 ms", "p95_ms", 1, 0, row -> metric(row.part(), Metric.P95))
        .measured("errors %", "errors", 100, 1, row -> metric(row.part(), Metric.ERRORS))
        .table("labels", "By label, " + cells.meanOf());
  }

  private static Estimate metric(LabelSummary label, Metric metric) {
    return CellColumns.metric(label.metrics(), metric);
  }

  static Table measures(CellColumns cells) {
    return cells
        .table(CellSummary::measures, measure -> measure.estimate().n())
        .name("measure", row -> row.part().name())
        .name("unit", row -> row.part().unit())
        .measured("value", "value", 1, 3, row -> row.part().estimate())
        .table("measures", "The workload's own measures, " + cells.meanOf());
  }
}
