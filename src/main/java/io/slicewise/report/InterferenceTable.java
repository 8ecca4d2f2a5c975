package io.slicewise.report;

import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.BestSets;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.NeighbourEffects;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.report.Table.Column;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The table of the best profile for each number of neighbours, and the cost of the neighbours in
 * throughput and in the primary metric.
 */
final class InterferenceTable {
  private static final Cell.Change NONE = new Cell.Change(Double.NaN, Double.NaN, Double.NaN);

  private final SweepSummary summary;
  private final Experiment experiment;
  private final List<TrialResult> results;

  private InterferenceTable(
      SweepSummary summary, Experiment experiment, List<TrialResult> results) {
    this.summary = summary;
    this.experiment = experiment;
    this.results = results;
  }

  /** Returns the table of an experiment that sweeps neighbours, by metric, load and profile. */
  static Table of(SweepSummary summary, Experiment experiment, List<TrialResult> results) {
    return new InterferenceTable(summary, experiment, results).table();
  }

  private Table table() {
    List<List<Cell>> rows = new ArrayList<>();
    Set<Metric> metrics = new LinkedHashSet<>(List.of(Metric.THROUGHPUT));
    metrics.add(Question.of(experiment, results).primary());
    metrics.forEach(metric -> rows.addAll(rows(metric)));
    int fewest = Collections.min(experiment.neighbours());
    return new Table(
        "interference",
        ("Interference: change caused by neighbours, and change from %s, with 95 %%"
                + " intervals; best set by load (Hsu)")
            .formatted(experiment.baseline()),
        new CellColumns(summary, List.of())
            .and(
                Column.name("metric"),
                Column.name("unit"),
                Column.measured("value", "value"),
                Column.change(
                    fewest == 0 ? "% from alone" : "% from " + fewest + " neighbours", "change"),
                Column.change("% from " + experiment.baseline(), "from_baseline"),
                new Column("best set", "best_set", Table.Type.NAME)),
        rows);
  }

  private List<List<Cell>> rows(Metric metric) {
    List<Comparison> effects = NeighbourEffects.of(experiment, results, metric);
    List<Comparison> profiles =
        Comparisons.of(experiment, results, Question.of(experiment, results)).stream()
            .filter(comparison -> comparison.metric().equals(metric))
            .toList();
    List<BestSet> sets = BestSets.of(experiment, results, metric);
    CellColumns cells = new CellColumns(summary, sets);
    return summary.cells().stream()
        .filter(cell -> cell.metrics().containsKey(metric))
        .sorted(Comparator.comparing(CellSummary::load))
        .map(
            cell ->
                cells.row(
                    cell,
                    cell.metrics().get(metric).n(),
                    new Cell.Text(metric.key()),
                    new Cell.Text(metric.unit()),
                    CellColumns.metric(cell.metrics(), metric, 1, 1),
                    change(effects, cell),
                    change(profiles, cell),
                    new Cell.Text(best(sets, cell.load(), cell.profile()))))
        .toList();
  }

  private static Cell change(List<Comparison> comparisons, CellSummary cell) {
    return comparisons.stream()
        .filter(one -> one.load().equals(cell.load()) && one.profile().equals(cell.profile()))
        .findFirst()
        .map(Cell.Change::of)
        .orElse(NONE);
  }

  /** Returns a dash if there are too few trials for a set, and for controls, which are in none. */
  private static String best(List<BestSet> sets, Load load, String profile) {
    return sets.stream()
        .filter(set -> set.load().equals(load) && set.degreesOfFreedom() > 0)
        .flatMap(set -> set.places().stream())
        .filter(place -> place.profile().equals(profile))
        .findFirst()
        .map(place -> place.inBestSet() ? "yes" : "no")
        .orElse(Numbers.UNKNOWN);
  }
}
