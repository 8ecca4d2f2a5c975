package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellTrials;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import io.slicewise.workload.tiles.Tile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The table of tiles: what each measured in a cell, and whether its own goal holds. */
final class TileTable {
  private static final double CONFIDENCE = 0.95;

  private TileTable() {}

  /** Returns the table; empty without tiles. */
  static Optional<Table> of(
      SweepSummary summary,
      Experiment experiment,
      List<TrialResult> results,
      List<BestSet> bestSets) {
    return experiment.workload().isTiled()
        ? Optional.of(table(new CellColumns(summary, bestSets), rows(summary, experiment, results)))
        : Optional.empty();
  }

  private static List<Row> rows(
      SweepSummary summary, Experiment experiment, List<TrialResult> results) {
    List<CellTrials> trials = CellTrials.of(experiment, results);
    List<Row> rows = new ArrayList<>();
    for (CellSummary cell : summary.cells()) {
      CellTrials its =
          trials.stream()
              .filter(one -> one.profile().equals(cell.profile()))
              .filter(one -> one.load().equals(cell.load()))
              .findFirst()
              .orElseThrow();
      for (Tile tile : experiment.tiles(cell.load())) {
        Goal goal = its.goals().get(tile.name()).flatMap(Goal::of).orElseThrow();
        rows.add(new Row(cell, tile, its.tile(tile.name()), goal));
      }
    }
    return rows;
  }

  private static Table table(CellColumns columns, List<Row> rows) {
    TableBuilder<Row> table =
        columns
            .table(rows, Row::cell, row -> row.cell().n())
            .name("tile", row -> row.tile().name())
            .name("load", Row::load)
            .countIfKnown("samples", Row::samples);
    Metric.OF_LOAD.stream()
        .filter(
            metric ->
                metric.equals(Metric.MEAN)
                    || metric.equals(Metric.P95)
                    || rows.stream().anyMatch(row -> row.goal().metric().equals(metric)))
        .forEach(
            metric ->
                table.measured(
                    metric.key() + " " + metric.unit(),
                    metric.key(),
                    1,
                    1,
                    row -> row.estimate(metric)));
    return table
        .name("goal", row -> row.goal().toString())
        .figure("verdict", Row::verdict)
        .number("margin %", "margin_percent", 1, Row::margin)
        .table(
            "tiles",
            "Tiles, each with its own goal, " + columns.meanOf(),
            List.of(
                "samples: the fewest of a trial, or of a profile in a session",
                "verdict: a goal holds if the whole 95 % interval is inside its limit, fails if none"
                    + " of it is, and is unclear otherwise, or if a trial does not know the metric",
                "margin: from the mean to the limit, percent of the limit; negative if beyond"));
  }

  /** A tile in a cell, with the trials of the tile. */
  private record Row(CellSummary cell, Tile tile, CellTrials trials, Goal goal) {
    String load() {
      return tile.rate().isPresent()
          ? Axis.RATE.text(Level.of(tile.rate().getAsDouble()))
          : Axis.USERS.text(Level.of(tile.users().orElseThrow()));
    }

    OptionalInt samples() {
      OptionalLong fewest =
          trials.replicates().stream()
              .mapToLong(
                  replicate ->
                      replicate.stream()
                          .flatMap(trial -> trial.load().stream())
                          .mapToLong(LoadResult::samples)
                          .sum())
              .min();
      return fewest.isPresent()
          ? OptionalInt.of(Math.toIntExact(fewest.getAsLong()))
          : OptionalInt.empty();
    }

    Estimate estimate(Metric metric) {
      double[] values = trials.values(metric);
      return values.length == 0
          ? CellColumns.NOT_MEASURED
          : IntervalMethod.STUDENT.estimate(CONFIDENCE, values);
    }

    String verdict() {
      Estimate estimate = estimate(goal.metric());
      if (estimate.n() == 0) {
        return NumberText.UNKNOWN;
      }
      Goal.Outcome outcome =
          trials.knows(goal.metric()) ? goal.judge(estimate) : Goal.Outcome.UNCLEAR;
      return outcome.toString();
    }

    double margin() {
      double part = estimate(goal.metric()).mean() / goal.limit();
      return 100 * (goal.below() ? 1 - part : part - 1);
    }
  }
}
