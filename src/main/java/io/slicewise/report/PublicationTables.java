package io.slicewise.report;

import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.BestSets;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.DomainSummary;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.report.Table.Column;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/**
 * The tables of the 2010 publication's layout: profile × users with mean, interval and deviation,
 * and the shares of each domain. The best set of each load (Hsu, 95 %) is marked.
 */
final class PublicationTables {
  private static final List<Metric> METRICS = List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P95);

  private final SweepSummary summary;
  private final Experiment experiment;
  private final List<TrialResult> results;
  private final Optional<Goal> goal;
  private final List<Load> loads;
  private final Set<String> profiles = new LinkedHashSet<>();

  PublicationTables(
      SweepSummary summary, Experiment experiment, List<TrialResult> results, Optional<Goal> goal) {
    this.summary = summary;
    this.experiment = experiment;
    this.results = results;
    this.goal = goal;
    this.loads = summary.cells().stream().map(CellSummary::load).distinct().toList();
    summary.cells().forEach(cell -> profiles.add(cell.profile()));
  }

  List<Table> all() {
    List<Table> tables = new ArrayList<>();
    for (Metric metric : METRICS) {
      if (summary.cells().stream().anyMatch(cell -> cell.metrics().containsKey(metric))) {
        tables.add(metric(metric));
      }
    }
    goalTable().ifPresent(tables::add);
    for (Load load : loads) {
      List<CellSummary> cells =
          summary.cells().stream()
              .filter(cell -> cell.load().equals(load) && !cell.domains().isEmpty())
              .toList();
      if (!cells.isEmpty()) {
        tables.add(shares(load, cells));
      }
    }
    return tables;
  }

  /** Returns which cells meet the goal, if there is one. */
  Optional<Table> goalTable() {
    return goal.map(this::goal);
  }

  private Table metric(Metric metric) {
    List<BestSet> sets = BestSets.of(experiment, results, metric);
    return byProfile(
        metric.key(),
        title(metric) + " by profile and users: mean ± 95 % interval (deviation of trials)",
        (profile, load) ->
            estimate(profile, load, metric)
                .map(
                    estimate ->
                        new Cell.Text(
                            measured(estimate, 1), CellColumns.isBest(sets, load, profile)))
                .orElse(new Cell.Text(Numbers.UNKNOWN)),
        List.of("marked: best set of the load (Hsu, 95 %)", repetitions()));
  }

  private static String title(Metric metric) {
    return switch (metric.key()) {
      case "throughput" -> "Throughput, requests/s,";
      case "mean" -> "Response time, ms,";
      default -> metric.key() + " of the response time, ms,";
    };
  }

  private Table goal(Goal asked) {
    return byProfile(
        "goal",
        "Goal " + asked + " by profile and users",
        (profile, load) ->
            new Cell.Text(
                estimate(profile, load, asked.metric())
                    .map(estimate -> asked.judge(estimate).toString())
                    .orElse(Numbers.UNKNOWN)),
        List.of(
            "met: the whole 95 % interval reaches the goal; missed: none of it does; unclear:"
                + " otherwise"));
  }

  private Table byProfile(
      String name, String title, BiFunction<String, Load, Cell> cell, List<String> notes) {
    List<Column> columns = new ArrayList<>(List.of(Column.name("profile")));
    loads.forEach(load -> columns.add(Column.figure(load.users() == 0 ? "no load" : load.text())));
    List<List<Cell>> rows = new ArrayList<>();
    for (String profile : profiles) {
      List<Cell> row = new ArrayList<>(List.of(new Cell.Text(profile)));
      loads.forEach(load -> row.add(cell.apply(profile, load)));
      rows.add(row);
    }
    return new Table(name, title, columns, rows, notes);
  }

  private static Table shares(Load load, List<CellSummary> cells) {
    List<List<Cell>> rows = new ArrayList<>();
    for (CellSummary cell : cells) {
      for (DomainSummary domain : cell.domains()) {
        rows.add(
            List.of(
                new Cell.Text(cell.profile()),
                new Cell.Text(domain.domain()),
                new Cell.Text(measured(domain.run(), 100)),
                new Cell.Text(measured(domain.waiting(), 100)),
                new Cell.Text(measured(domain.blocked(), 100))));
      }
    }
    String at = load.users() == 0 ? "" : " at " + load.text();
    return new Table(
        "shares",
        "Shares of each domain's vCPU time, percent,%s: mean ± 95 %% interval (deviation)"
            .formatted(at),
        List.of(
            Column.name("profile"),
            Column.name("domain"),
            Column.figure("run"),
            Column.figure("wait"),
            Column.figure("blocked")),
        rows);
  }

  private Optional<Estimate> estimate(String profile, Load load, Metric metric) {
    return summary.cells().stream()
        .filter(cell -> cell.profile().equals(profile) && cell.load().equals(load))
        .findFirst()
        .flatMap(cell -> Optional.ofNullable(cell.metrics().get(metric)));
  }

  /** {@code 127.6 ± 5.3 (4.2)}. */
  private static String measured(Estimate estimate, double scale) {
    if (!Double.isFinite(estimate.mean())) {
      return Numbers.UNKNOWN;
    }
    return "%s ± %s (%s)"
        .formatted(
            Numbers.fixed(scale * estimate.mean(), 1),
            Numbers.fixed(scale * estimate.halfWidth(), 1),
            Numbers.fixed(scale * estimate.deviation(), 1));
  }

  private String repetitions() {
    String counts =
        summary.cells().stream()
            .map(CellSummary::n)
            .distinct()
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(", "));
    return "valid trials of a cell: %s; %s".formatted(counts, summary.origin().sentence());
  }
}
