package io.slicewise.report;

import io.slicewise.analysis.Metric;
import io.slicewise.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** What every table of cells has in common. */
final class CellColumns {
  static final Estimate NOT_MEASURED =
      new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, 0.95);

  private CellColumns() {}

  /** The columns that tell the cell, then those. */
  static List<Table.Column> and(Table.Column... more) {
    return Stream.concat(
            Stream.of("users", "profile", "n").map(name -> new Table.Column(name, name)),
            Stream.of(more))
        .toList();
  }

  static Cell metric(Map<Metric, Estimate> metrics, Metric metric, double scale, int digits) {
    return new Cell.Measured(metrics.getOrDefault(metric, NOT_MEASURED), scale, digits);
  }
}
