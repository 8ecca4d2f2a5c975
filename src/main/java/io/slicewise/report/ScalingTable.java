package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How each profile scales from load to load: factors from the load before, and requests in flight
 * by Little's law, X R. The knee is the number in flight at which the busiest resource has no
 * pauses left if nothing waits before: the highest rate × the mean time at the lowest load.
 */
final class ScalingTable {
  private static final double MILLIS = 1000;

  private ScalingTable() {}

  /** Returns whether something is measured with several sizes of load. */
  static boolean applies(SweepSummary summary) {
    return alike(summary).stream().anyMatch(cells -> cells.size() > 1);
  }

  /** Returns the cells that differ in the size of their load only, together. */
  private static Collection<List<CellSummary>> alike(SweepSummary summary) {
    return summary.cells().stream()
        .filter(cell -> cell.metrics().containsKey(Metric.MEAN))
        .collect(
            Collectors.groupingBy(
                cell -> List.of(cell.profile(), cell.load().beside()),
                LinkedHashMap::new,
                Collectors.toList()))
        .values();
  }

  /**
   * A cell, with its factors from the load before; {@code NaN} at the lowest load.
   *
   * @param inFlight requests at a time
   */
  private record Scaled(
      CellSummary cell, double rateFactor, double meanFactor, double inFlight, double knee) {}

  static Table of(SweepSummary summary) {
    List<Scaled> rows = new ArrayList<>();
    alike(summary).forEach(cells -> rows.addAll(scaled(cells)));
    return new CellColumns(summary, List.of())
        .table(rows, Scaled::cell, row -> row.cell().n())
        .number("× rate", "rate_factor", 2, Scaled::rateFactor)
        .number("× mean", "mean_factor", 2, Scaled::meanFactor)
        .number("in flight", "in_flight", 1, Scaled::inFlight)
        .number("knee", 1, Scaled::knee)
        .figure("beyond", row -> row.inFlight() > row.knee() ? "yes" : "no")
        .table(
            "scaling", "Scaling: factors from the load before, requests in flight, and the knee");
  }

  private static List<Scaled> scaled(List<CellSummary> cells) {
    List<CellSummary> sorted =
        cells.stream().sorted(Comparator.comparing(CellSummary::load)).toList();
    double most =
        sorted.stream().mapToDouble(cell -> mean(cell, Metric.THROUGHPUT)).max().orElse(Double.NaN);
    double knee = most * mean(sorted.get(0), Metric.MEAN) / MILLIS;
    List<Scaled> rows = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      CellSummary cell = sorted.get(i);
      rows.add(
          new Scaled(
              cell,
              factor(sorted, i, Metric.THROUGHPUT),
              factor(sorted, i, Metric.MEAN),
              mean(cell, Metric.THROUGHPUT) * mean(cell, Metric.MEAN) / MILLIS,
              knee));
    }
    return rows;
  }

  private static double mean(CellSummary cell, Metric metric) {
    return cell.metrics().containsKey(metric) ? cell.metrics().get(metric).mean() : Double.NaN;
  }

  private static double factor(List<CellSummary> cells, int place, Metric metric) {
    return place == 0
        ? Double.NaN
        : mean(cells.get(place), metric) / mean(cells.get(place - 1), metric);
  }
}
