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
import io.slicewise.experiment.Axis;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.Table.Column;
import io.slicewise.report.TableBuilder.Part;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The table of the best profile for each number of neighbours, and the cost of the neighbours in
 * throughput and in the primary metric.
 */
record InterferenceTable(SweepSummary summary, Experiment experiment, List<TrialResult> results) {
  private static final Cell.Change NONE = new Cell.Change(Double.NaN, Double.NaN, Double.NaN);

  /** Returns the table of an experiment that sweeps neighbours, by metric, load and profile. */
  static Table of(SweepSummary summary, Experiment experiment, List<TrialResult> results) {
    return new InterferenceTable(summary, experiment, results).table();
  }

  /** What is known of a metric. */
  private record Known(
      Metric metric, List<Comparison> effects, List<Comparison> profiles, List<BestSet> sets) {}

  private Table table() {
    Set<Metric> metrics = new LinkedHashSet<>(List.of(Metric.THROUGHPUT));
    metrics.add(Question.of(experiment, results).primary());
    int fewest = (int) Collections.min(experiment.levels(Axis.NEIGHBOURS)).number();
    String alone = fewest == 0 ? "% from alone" : "% from " + fewest + " neighbours";
    return TableBuilder.of(metrics.stream().map(this::known).toList(), this::cells)
        .load(CellColumns.axes(summary), row -> row.part().load())
        .column(Column.name("profile"), row -> profile(row.whole().sets(), row.part()))
        .count("n", row -> value(row).n())
        .name("metric", row -> row.whole().metric().key())
        .name("unit", row -> row.whole().metric().unit())
        .measured("value", "value", 1, 1, InterferenceTable::value)
        .change(alone, "change", row -> change(row.whole().effects(), row.part()))
        .change(
            "% from " + experiment.baseline(),
            "from_baseline",
            row -> change(row.whole().profiles(), row.part()))
        .column(
            new Column("best set", "best_set", Table.Type.NAME),
            row -> new Cell.Text(best(row.whole().sets(), row.part())))
        .table(
            "interference",
            ("Interference: change caused by neighbours, and change from %s, with 95 %%"
                    + " intervals; best set of each load alone (Hsu, 95 %%)")
                .formatted(experiment.baseline()));
  }

  private Known known(Metric metric) {
    return new Known(
        metric,
        NeighbourEffects.of(experiment, results, metric),
        Comparisons.of(experiment, results, Question.of(experiment, results)).stream()
            .filter(comparison -> comparison.metric().equals(metric))
            .toList(),
        BestSets.of(experiment, results, metric));
  }

  private List<CellSummary> cells(Known known) {
    return summary.cells().stream()
        .filter(cell -> cell.metrics().containsKey(known.metric()))
        .sorted(Comparator.comparing(CellSummary::load))
        .toList();
  }

  private static Estimate value(Part<Known, CellSummary> row) {
    return row.part().metrics().get(row.whole().metric());
  }

  private static Cell profile(List<BestSet> sets, CellSummary cell) {
    return new Cell.Text(cell.profile(), CellColumns.isBest(sets, cell.load(), cell.profile()));
  }

  private static Cell.Change change(List<Comparison> comparisons, CellSummary cell) {
    return comparisons.stream()
        .filter(one -> one.load().equals(cell.load()) && one.profile().equals(cell.profile()))
        .findFirst()
        .map(Cell.Change::of)
        .orElse(NONE);
  }

  /** Returns a dash if there are too few trials for a set, and for controls, which are in none. */
  private static String best(List<BestSet> sets, CellSummary cell) {
    return sets.stream()
        .filter(set -> set.load().equals(cell.load()) && set.known())
        .flatMap(set -> set.places().stream())
        .filter(place -> place.profile().equals(cell.profile()))
        .findFirst()
        .map(place -> place.inBestSet() ? "yes" : "no")
        .orElse(Numbers.UNKNOWN);
  }
}
