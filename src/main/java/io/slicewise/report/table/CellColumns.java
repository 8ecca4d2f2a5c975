package io.slicewise.report.table;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder.Part;
import io.slicewise.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * The columns that all tables of cells share.
 *
 * @param bestSets in which the tables mark the profiles
 */
public record CellColumns(SweepSummary summary, List<BestSet> bestSets) {
  public static final Estimate NOT_MEASURED =
      new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, 0.95);

  public CellColumns {
    bestSets = List.copyOf(bestSets);
  }

  /** Returns the axes that need columns. */
  public static List<Axis> axes(SweepSummary summary) {
    return Axis.of(summary.cells().stream().map(CellSummary::load));
  }

  /**
   * Returns whether a profile is in the best set of a load; false if trials are too few for one.
   */
  public static boolean isBest(List<BestSet> sets, Load load, String profile) {
    return sets.stream()
        .filter(set -> set.load().equals(load) && set.known())
        .anyMatch(set -> set.profiles().contains(profile));
  }

  /** Returns what estimates are means of, with their interval. */
  public String meanOf() {
    return "arithmetic mean of %s ± 95 %% interval"
        .formatted(summary.sessions().isPresent() ? "sessions" : "trials");
  }

  /** Begins a table with a row for each cell. */
  public TableBuilder<CellSummary> table() {
    return table(summary.cells(), Function.identity(), CellSummary::n);
  }

  /** Begins a table with a row for each part of each cell. */
  public <P> TableBuilder<Part<CellSummary, P>> table(
      Function<CellSummary, List<P>> parts, ToLongFunction<P> n) {
    return table(Part.of(summary.cells(), parts), Part::whole, row -> n.applyAsLong(row.part()));
  }

  /** Begins a table with the columns that identify a cell, and the number of its trials. */
  public <R> TableBuilder<R> table(
      List<R> rows, Function<R, CellSummary> cell, ToLongFunction<R> trials) {
    return TableBuilder.of(rows)
        .load(axes(summary), row -> cell.apply(row).load())
        .column(Column.name("profile"), row -> profile(cell.apply(row)))
        .count("n", trials);
  }

  private Cell profile(CellSummary cell) {
    return new Cell.Text(cell.profile(), isBest(bestSets, cell.load(), cell.profile()));
  }

  public static Estimate metric(Map<Metric, Estimate> metrics, Metric metric) {
    return metrics.getOrDefault(metric, NOT_MEASURED);
  }
}
