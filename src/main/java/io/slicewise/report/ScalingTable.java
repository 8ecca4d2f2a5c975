package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Load;
import io.slicewise.report.Table.Column;
import io.slicewise.run.LoadResult;
import io.slicewise.run.TrialResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * How each profile scales from load to load: factors from the load before, the standard deviation
 * between requests, and requests in flight by Little's law, X R. The knee is the number in flight
 * at which the busiest resource has no pauses left if nothing waits before: the highest rate × the
 * mean time at the lowest load.
 */
final class ScalingTable {
  private static final double MILLIS = 1000;

  private ScalingTable() {}

  /** Returns whether there are several numbers of users. */
  static boolean applies(SweepSummary summary) {
    return summary.cells().stream()
            .filter(cell -> cell.metrics().containsKey(Metric.THROUGHPUT))
            .map(cell -> cell.load().users())
            .distinct()
            .count()
        > 1;
  }

  static Table of(SweepSummary summary, List<TrialResult> results) {
    CellColumns columns = new CellColumns(summary, List.of());
    List<List<Cell>> rows = new ArrayList<>();
    summary.cells().stream()
        .filter(cell -> cell.metrics().containsKey(Metric.MEAN))
        .collect(
            Collectors.groupingBy(
                cell -> cell.profile() + "/" + cell.load().neighbours(),
                LinkedHashMap::new,
                Collectors.toList()))
        .values()
        .forEach(cells -> rows.addAll(rows(columns, cells, results)));
    return new Table(
        "scaling",
        "Scaling: factors from the load before, requests in flight, and the knee",
        columns.and(
            Column.number("× rate", "rate_factor"),
            Column.number("× mean", "mean_factor"),
            Column.number("SD of requests ms", "request_sd_ms"),
            Column.number("in flight", "in_flight"),
            Column.number("knee", "knee"),
            Column.figure("beyond")),
        rows);
  }

  private static List<List<Cell>> rows(
      CellColumns columns, List<CellSummary> cells, List<TrialResult> results) {
    List<CellSummary> sorted =
        cells.stream().sorted(Comparator.comparing(CellSummary::load)).toList();
    double most =
        sorted.stream().mapToDouble(cell -> mean(cell, Metric.THROUGHPUT)).max().orElse(Double.NaN);
    double knee = most * mean(sorted.get(0), Metric.MEAN) / MILLIS;
    List<List<Cell>> rows = new ArrayList<>();
    for (int i = 0; i < sorted.size(); i++) {
      CellSummary cell = sorted.get(i);
      double inFlight = mean(cell, Metric.THROUGHPUT) * mean(cell, Metric.MEAN) / MILLIS;
      rows.add(
          columns.row(
              cell,
              cell.n(),
              new Cell.Fixed(factor(sorted, i, Metric.THROUGHPUT), 2),
              new Cell.Fixed(factor(sorted, i, Metric.MEAN), 2),
              new Cell.Fixed(deviation(results, cell.profile(), cell.load()), 1),
              new Cell.Fixed(inFlight, 1),
              new Cell.Fixed(knee, 1),
              new Cell.Text(inFlight > knee ? "yes" : "no")));
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

  /** Returns the root of the mean variance in a trial, weighted by its requests. */
  private static double deviation(List<TrialResult> results, String profile, Load load) {
    double requests = 0;
    double squares = 0;
    for (TrialResult result : results) {
      if (result.valid()
          && result.trial().profile().equals(profile)
          && result.trial().load().equals(load)
          && result.load().isPresent()) {
        LoadResult of = result.load().get();
        requests += of.samples();
        squares += of.samples() * of.deviationMillis() * of.deviationMillis();
      }
    }
    return requests > 0 ? Math.sqrt(squares / requests) : Double.NaN;
  }
}
