package io.slicewise.report;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.DomainSummary;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Latex;
import io.slicewise.report.table.Markdown;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TextColumns;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Prints the tables of a run, or a selection of its cells, in all formats. */
public final class RunTables {
  private final SweepSummary summary;
  private final Experiment experiment;
  private final List<TrialResult> results;
  private final Optional<Goal> goal;

  /**
   * @param summary of the selected cells
   * @param goal to evaluate for each cell, if any
   */
  public RunTables(LoadedRun run, SweepSummary summary, Optional<Goal> goal) {
    this.summary = summary;
    this.experiment = run.experiment();
    this.results = run.results();
    this.goal = goal;
  }

  /** Returns the tables as text of that width, with the best sets and the goal. */
  public List<String> text(int width) {
    List<String> lines = new ArrayList<>();
    lines.addAll(Sentences.head(summary, width));
    for (Table table :
        ObservedTables.shown(ResultTables.of(summary, experiment, results, List.of()))) {
      lines.add("");
      lines.addAll(TextColumns.lines(table, width));
    }
    new PublicationTables()
        .goalTable()
        .ifPresent(
            table -> {
              lines.add("");
              lines.addAll(TextColumns.lines(table, width));
            });
    return lines;
  }

  /** Returns the publication's layout as Markdown; the best set is bold. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(Markdown.escape(Sentences.title(summary))).append("\n\n");
    text.append(Markdown.escape(Sentences.headline(summary))).append("  \n");
    text.append(Markdown.escape(summary.origin().sentence())).append("\n\n");
    new PublicationTables().all().forEach(table -> text.append(Markdown.section(table)));
    return text.append(Markdown.list(Sentences.footnotes(summary))).toString();
  }

  /** Returns the publication's layout as LaTeX. */
  public String latex() {
    return Latex.tables(new PublicationTables().all());
  }

  /** Returns the content of {@code summary.json} for the selected cells. */
  public String json() {
    return Json.text(summary);
  }

  /**
   * Returns one CSV line per estimate (RFC 4180): full precision, shares 0..1, empty if unknown.
   */
  public String csv() {
    List<Line> lines = new ArrayList<>();
    for (Metric metric : Metric.OF_LOAD) {
      List<BestSet> sets =
          metric.equals(Metric.ERRORS) ? List.of() : BestSet.of(experiment, results, metric);
      for (CellSummary cell : summary.cells()) {
        Estimate estimate = cell.metrics().get(metric);
        if (estimate != null) {
          String reached = reached(metric, estimate);
          lines.add(new Line(cell, "", metric.key(), estimate, best(sets, cell), reached));
        }
      }
    }
    for (CellSummary cell : summary.cells()) {
      for (DomainSummary domain : cell.domains()) {
        String name = domain.domain();
        lines.add(new Line(cell, name, "run", domain.run(), "", ""));
        lines.add(new Line(cell, name, "wait", domain.waiting(), "", ""));
        lines.add(new Line(cell, name, "blocked", domain.blocked(), "", ""));
      }
    }
    return CsvTable.text(
        TableBuilder.of(lines)
            .name("profile", line -> line.cell().profile())
            .load(CellColumns.axes(summary), line -> line.cell().load())
            .name("domain", Line::domain)
            .name("measure", Line::measure)
            .count("n", line -> line.estimate().n())
            .value("mean", line -> line.estimate().mean())
            .value("deviation", line -> line.estimate().deviation())
            .value("low", line -> line.estimate().low())
            .value("high", line -> line.estimate().high())
            .name("best_set", Line::best)
            .name("goal", Line::goal)
            .table("cells", ""),
        summary.origin().kind());
  }

  /**
   * An estimate of a cell.
   *
   * @param best whether the profile is in the best set; empty if there is none
   * @param goal whether the goal is met; empty if it concerns another measure
   */
  private record Line(
      CellSummary cell,
      String domain,
      String measure,
      Estimate estimate,
      String best,
      String goal) {}

  private static String best(List<BestSet> sets, CellSummary cell) {
    return sets.stream()
        .filter(set -> set.load().equals(cell.load()) && set.known())
        .findFirst()
        .map(set -> String.valueOf(set.profiles().contains(cell.profile())))
        .orElse("");
  }

  private String reached(Metric metric, Estimate estimate) {
    return goal.filter(asked -> asked.metric().equals(metric))
        .map(asked -> asked.judge(estimate).toString())
        .orElse("");
  }

  /**
   * The tables of the 2010 publication's layout: profile × users with mean, interval and deviation,
   * and the shares of each domain. The best set of each load (Hsu, 95 %) is marked.
   */
  private final class PublicationTables {
    private static final List<Metric> METRICS = List.of(Metric.THROUGHPUT, Metric.MEAN, Metric.P95);

    private final List<Load> loads =
        summary.cells().stream().map(CellSummary::load).distinct().toList();
    private final List<String> profiles =
        summary.cells().stream().map(CellSummary::profile).distinct().toList();

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
      List<BestSet> sets = BestSet.of(experiment, results, metric);
      return byProfile(
          metric.key(),
          title(metric) + by() + ": mean ± 95 % interval (deviation of trials)",
          (profile, load) ->
              estimate(profile, load, metric)
                  .map(
                      estimate ->
                          new Cell.Text(
                              measured(estimate, 1), CellColumns.isBest(sets, load, profile)))
                  .orElse(new Cell.Text(NumberText.UNKNOWN)),
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
                      .orElse(NumberText.UNKNOWN)),
          List.of(
              "holds: the whole 95 % interval reaches the goal; fails: none of it does; unclear:"
                  + " otherwise"));
    }

    private Table byProfile(
        String name, String title, BiFunction<String, Load, Cell> cell, List<String> notes) {
      TableBuilder<String> table = TableBuilder.of(profiles).name("profile", profile -> profile);
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
        return NumberText.UNKNOWN;
      }
      return "%s ± %s (%s)"
          .formatted(
              NumberText.fixed(scale * estimate.mean(), 1),
              NumberText.fixed(scale * estimate.halfWidth(), 1),
              NumberText.fixed(scale * estimate.deviation(), 1));
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
}
