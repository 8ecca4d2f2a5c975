package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Load;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The columns that all tables of cells share. */
final class CellColumns {
  static final Estimate NOT_MEASURED =
      new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, 0.95);

  private CellColumns() {}

  /** Returns whether neighbours are swept, so that a table needs a column for them. */
  static boolean sweepsNeighbours(SweepSummary summary) {
    return summary.cells().stream().anyMatch(cell -> cell.load().neighbours().isPresent());
  }

  /** Returns the columns that identify the cell, followed by the given ones. */
  static List<Table.Column> and(SweepSummary summary, Table.Column... more) {
    return Stream.concat(
            (sweepsNeighbours(summary)
                    ? Stream.of("users", "neighbours", "profile", "n")
                    : Stream.of("users", "profile", "n"))
                .map(name -> new Table.Column(name, name)),
            Stream.of(more))
        .toList();
  }

  /** Starts the row of a cell with that many trials. */
  static List<Cell> row(CellSummary cell, int n, Cell... more) {
    return row(cell.load(), cell.profile(), n, more);
  }

  static List<Cell> row(Load load, String profile, int n, Cell... more) {
    List<Cell> row = new ArrayList<>(List.of(new Cell.Count(load.users())));
    load.neighbours().ifPresent(number -> row.add(new Cell.Count(number)));
    row.add(new Cell.Name(profile));
    row.add(new Cell.Count(n));
    row.addAll(List.of(more));
    return row;
  }

  /** Returns the load as CSV fields: users, and neighbours if they are swept. */
  static String fields(Load load) {
    return load.users() + (load.neighbours().isPresent() ? "," + load.neighbours().getAsInt() : "");
  }

  static Cell metric(Map<Metric, Estimate> metrics, Metric metric, double scale, int digits) {
    return new Cell.Measured(metrics.getOrDefault(metric, NOT_MEASURED), scale, digits);
  }
}
