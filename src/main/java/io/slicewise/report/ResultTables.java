package io.slicewise.report;

import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Axis;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.LoadResult;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;

/** The tables of a sweep: throughput and response time by profile and users, shares by domain. */
final class ResultTables {
  private ResultTables() {}

  /**
   * Returns the tables that have rows, including interference if neighbours are swept.
   *
   * @param bestSets in which the tables mark the profiles
   */
  static List<Table> of(
      SweepSummary summary,
      Experiment experiment,
      List<TrialResult> results,
      List<BestSet> bestSets) {
    CellColumns columns = new CellColumns(summary, bestSets);
    List<Table> tables = new ArrayList<>(of(columns, Counted.of(experiment, results), results));
    if (isLoaded(summary) && CellColumns.axes(summary).contains(Axis.NEIGHBOURS)) {
      tables.add(1, InterferenceTable.of(summary, experiment, results));
    }
    if (ScalingTable.applies(summary)) {
      tables.add(Math.min(1, tables.size()), ScalingTable.of(summary));
    }
    tables.addAll(Math.min(1, tables.size()), SessionTables.of(summary, experiment.baseline()));
    GeneratorTable.of(results).ifPresent(tables::add);
    return List.copyOf(tables);
  }

  static List<Table> of(SweepSummary summary) {
    return of(new CellColumns(summary, List.of()), Counted.THROUGHPUT, List.of());
  }

  private static List<Table> of(CellColumns cells, Counted counted, List<TrialResult> results) {
    SweepSummary summary = cells.summary();
    List<Table> tables = new ArrayList<>();
    if (isLoaded(summary)) {
      tables.add(load(cells, counted, results));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.labels().isEmpty())) {
      tables.add(LabelTables.labels(cells));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.measures().isEmpty())) {
      tables.add(LabelTables.measures(cells));
    }
    tables.addAll(ObservedTables.of(cells));
    return summary.origin().isSimulated()
        ? tables.stream().map(table -> table.entitled(table.title() + ", simulated")).toList()
        : List.copyOf(tables);
  }

  private static boolean isLoaded(SweepSummary summary) {
    return summary.cells().stream().anyMatch(cell -> cell.metrics().containsKey(Metric.THROUGHPUT));
  }

  private static Table load(CellColumns cells, Counted counted, List<TrialResult> results) {
    String belong =
        cells.summary().sessions().isPresent() ? "; levels differ from session to session" : "";
    return cells
        .table()
        .measured(counted.rate(), "throughput", 1, 1, cell -> metric(cell, Metric.THROUGHPUT))
        .measured("mean ms", "mean_ms", 1, 1, cell -> metric(cell, Metric.MEAN))
        .number("SD ms", "request_sd_ms", 1, cell -> deviation(results, cell))
        .measured("p50 ms", "p50_ms", 1, 0, cell -> metric(cell, Metric.P50))
        .measured("p95 ms", "p95_ms", 1, 0, cell -> metric(cell, Metric.P95))
        .measured("p99 ms", "p99_ms", 1, 0, cell -> metric(cell, Metric.P99))
        .measured("errors %", "errors", 100, 1, cell -> metric(cell, Metric.ERRORS))
        .table(
            "load",
            "%s, %s%s".formatted(counted.title(), cells.meanOf(), belong),
            List.of("SD: standard deviation between the requests of a trial"));
  }

  /** Returns the root of the mean variance in a trial, weighted by its requests. */
  private static double deviation(List<TrialResult> results, CellSummary cell) {
    double requests = 0;
    double squares = 0;
    for (TrialResult result : results) {
      if (result.valid()
          && result.trial().profile().equals(cell.profile())
          && result.trial().load().equals(cell.load())
          && result.load().isPresent()) {
        LoadResult of = result.load().get();
        requests += of.samples();
        squares += of.samples() * of.deviationMillis() * of.deviationMillis();
      }
    }
    return requests > 0 ? Math.sqrt(squares / requests) : Double.NaN;
  }

  private static Estimate metric(CellSummary cell, Metric metric) {
    return CellColumns.metric(cell.metrics(), metric);
  }
}
