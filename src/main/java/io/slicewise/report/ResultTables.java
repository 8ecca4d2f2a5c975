package io.slicewise.report;

import io.slicewise.analysis.CellSummary;
import io.slicewise.analysis.Metric;
import io.slicewise.analysis.SweepSummary;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;

/** The tables of a sweep: load by profile and users, shares by domain. */
final class ResultTables {
  /** How the table of shares begins its title. */
  static final String OWN_SHARES = "Shares of each domain's own vCPU time";

  private static final Estimate NOT_MEASURED =
      new Estimate(Double.NaN, Double.NaN, 0, Double.NaN, Double.NaN, 0.95);

  private ResultTables() {}

  /** The tables that have anything to show. */
  static List<Table> of(SweepSummary summary) {
    List<Table> tables = new ArrayList<>();
    if (summary.cells().stream().anyMatch(cell -> !cell.metrics().isEmpty())) {
      tables.add(load(summary));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.labels().isEmpty())) {
      tables.add(LabelTables.labels(summary));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.measures().isEmpty())) {
      tables.add(LabelTables.measures(summary));
    }
    if (summary.cells().stream().anyMatch(cell -> !cell.domains().isEmpty())) {
      tables.add(shares(summary));
    }
    return summary.origin().isSimulated()
        ? tables.stream().map(table -> table.entitled(table.title() + ", simulated")).toList()
        : List.copyOf(tables);
  }

  private static Table load(SweepSummary summary) {
    List<Table.Column> columns =
        List.of(
            new Table.Column("users", "users"),
            new Table.Column("profile", "profile"),
            new Table.Column("n", "n"),
            new Table.Column("throughput /s", "throughput"),
            new Table.Column("mean ms", "mean_ms"),
            new Table.Column("p50 ms", "p50_ms"),
            new Table.Column("p95 ms", "p95_ms"),
            new Table.Column("p99 ms", "p99_ms"),
            new Table.Column("errors %", "errors"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : summary.cells()) {
      rows.add(
          List.of(
              new Cell.Count(cell.users()),
              new Cell.Name(cell.profile()),
              new Cell.Count(cell.n()),
              metric(cell, Metric.THROUGHPUT, 1, 1),
              metric(cell, Metric.MEAN, 1, 1),
              metric(cell, Metric.P50, 1, 0),
              metric(cell, Metric.P95, 1, 0),
              metric(cell, Metric.P99, 1, 0),
              metric(cell, Metric.ERRORS, 100, 1)));
    }
    return new Table(
        "load", "Throughput and response time, mean of trials ± 95 % interval", columns, rows);
  }

  private static Cell metric(CellSummary cell, Metric metric, double scale, int digits) {
    return new Cell.Measured(cell.metrics().getOrDefault(metric, NOT_MEASURED), scale, digits);
  }

  private static Table shares(SweepSummary summary) {
    List<Table.Column> columns =
        List.of(
            new Table.Column("users", "users"),
            new Table.Column("profile", "profile"),
            new Table.Column("n", "n"),
            new Table.Column("domain", "domain"),
            new Table.Column("vCPUs", "vcpus"),
            new Table.Column("run %", "run"),
            new Table.Column("wait %", "wait"),
            new Table.Column("blocked %", "blocked"));
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : summary.cells()) {
      for (CellSummary.DomainSummary domain : cell.domains()) {
        rows.add(
            List.of(
                new Cell.Count(cell.users()),
                new Cell.Name(cell.profile()),
                new Cell.Count(cell.n()),
                new Cell.Name(domain.domain()),
                new Cell.Count(domain.vcpus()),
                new Cell.Measured(domain.run(), 100, 1),
                new Cell.Measured(domain.waiting(), 100, 1),
                new Cell.Measured(domain.blocked(), 100, 1)));
      }
    }
    return new Table("shares", OWN_SHARES + ", mean of trials ± 95 % interval", columns, rows);
  }
}
