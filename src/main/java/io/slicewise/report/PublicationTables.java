package io.slicewise.report;

import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.BestSets;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Numbers;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.run.result.TrialResult;
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
    TileTable.of(summary, experiment, results, List.of()).ifPresent(tables::add);
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
        title(metric) + by() + ": mean ± 95 % interval (deviation of trials)",
        (profile, load) ->
            estimate(profile, load, metric)
                .map(
                    estimate ->
                        new Cell.Text(
                            measured(estimate, 1), CellColumns.isBest(sets, load, profile)))
                .orElse(new Cell.Text(Numbers.UNKNOWN)),
        List.of("marked: best set of the load (Hsu, 95 % at each load alone)", repetitions()));
  }

  private String by() {
    return " by profile and " + Load.driver(experiment.loads()).unit();
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
        "Goal " + asked + by(),
        (profile, load) ->
            new Cell.Text(
                estimate(profile, load, asked.metric())
                    .map(estimate -> asked.judge(estimate).toString())
                    .orElse(Numbers.UNKNOWN)),
        List.of(
            "holds: the whole 95 % interval reaches the goal; fails: none of it does; unclear:"
                + " otherwise"));
  }

  private Table byProfile(
      String name, String title, BiFunction<String, Load, Cell> cell, List<String> notes) {
    TableBuilder<String> table =
        TableBuilder.of(List.copyOf(profiles)).name("profile", profile -> profile);
    for (Load load : loads) {
      String heading = load.text();
      table.column(Column.figure(heading), profile -> cell.apply(profile, load));
    }
    return table.table(name, title, notes);
  }

  private static Table shares(Load load, List<CellSummary> cells) {
    String at = load.at();
    return TableBuilder.of(cells, CellSummary::domains)
        .name("profile", row -> row.whole().profile())
        .name("domain", row -> row.part().domain())
        .figure("run", row -> measured(row.part().run(), 100))
        .figure("wait", row -> measured(row.part().waiting(), 100))
        .figure("blocked", row -> measured(row.part().blocked(), 100))
        .table(
            "shares",
            "Shares of each domain's vCPU time, percent,%s: mean ± 95 %% interval (deviation)"
                .formatted(at));
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
