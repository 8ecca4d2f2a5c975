package io.slicewise.report;

import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Load;
import io.slicewise.report.Table.Column;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The columns that all tables of cells share.
 *
 * @param bestSets in which the tables mark the profiles
 */
record CellColumns(SweepSummary summary, List<BestSet> bestSets) {
  static final Estimate NOT_MEASURED =
      new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, 0.95);

  CellColumns {
    bestSets = List.copyOf(bestSets);
  }

  /** Returns the axes that need columns. */
  static LoadAxes axes(SweepSummary summary) {
    return LoadAxes.of(summary.cells().stream().map(CellSummary::load));
  }

  /**
   * Returns whether a profile is in the best set of a load; false if trials are too few for one.
   */
  static boolean isBest(List<BestSet> sets, Load load, String profile) {
    return sets.stream()
        .filter(set -> set.load().equals(load) && set.degreesOfFreedom() > 0)
        .anyMatch(set -> set.profiles().contains(profile));
  }

  /** Returns the columns of a load: users, and neighbours and parts if they are swept. */
  static List<Column> load(LoadAxes axes) {
    List<Column> columns = new ArrayList<>(List.of(Column.count("users")));
    if (axes.neighbours()) {
      columns.add(Column.count("neighbours"));
    }
    if (axes.parts()) {
      columns.add(Column.name("part"));
    }
    return columns;
  }

  /** Returns the cells of a load; a load without neighbours leaves their column empty. */
  static List<Cell> load(LoadAxes axes, Load load) {
    List<Cell> cells = new ArrayList<>(List.of(new Cell.Count(load.users())));
    if (axes.neighbours()) {
      cells.add(
          load.neighbours().isPresent()
              ? new Cell.Count(load.neighbours().getAsInt())
              : new Cell.Empty());
    }
    if (axes.parts()) {
      cells.add(new Cell.Text(load.part().orElse("")));
    }
    return cells;
  }

  /** Returns what estimates are means of, with their interval. */
  String meanOf() {
    return "arithmetic mean of %s ± 95 %% interval"
        .formatted(summary.sessions().isPresent() ? "sessions" : "trials");
  }

  /** Returns the columns that identify the cell, followed by the given ones. */
  List<Column> and(Column... more) {
    return Stream.of(
            load(axes(summary)).stream(),
            Stream.of(Column.name("profile"), Column.count("n")),
            Stream.of(more))
        .flatMap(columns -> columns)
        .toList();
  }

  /** Starts the row of a cell with that many trials. */
  List<Cell> row(CellSummary cell, int n, Cell... more) {
    List<Cell> row = load(axes(summary), cell.load());
    row.add(new Cell.Text(cell.profile(), isBest(bestSets, cell.load(), cell.profile())));
    row.add(new Cell.Count(n));
    row.addAll(List.of(more));
    return row;
  }

  static Cell metric(Map<Metric, Estimate> metrics, Metric metric, double scale, int digits) {
    return new Cell.Measured(metrics.getOrDefault(metric, NOT_MEASURED), scale, digits);
  }
}
