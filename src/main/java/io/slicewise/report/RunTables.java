package io.slicewise.report;

import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.DomainSummary;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.BestSets;
import io.slicewise.experiment.Experiment;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Csv.CsvTable;
import io.slicewise.report.table.Latex;
import io.slicewise.report.table.Markdown;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TextTable;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
      lines.addAll(TextTable.lines(table, width));
    }
    publication()
        .goalTable()
        .ifPresent(
            table -> {
              lines.add("");
              lines.addAll(TextTable.lines(table, width));
            });
    return lines;
  }

  /** Returns the publication's layout as Markdown; the best set is bold. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(Markdown.escape(Sentences.title(summary))).append("\n\n");
    text.append(Markdown.escape(Sentences.headline(summary))).append("  \n");
    text.append(Markdown.escape(summary.origin().sentence())).append("\n\n");
    publication().all().forEach(table -> text.append(Markdown.section(table)));
    return text.append(Markdown.list(Sentences.footnotes(summary))).toString();
  }

  /** Returns the publication's layout as LaTeX. */
  public String latex() {
    return Latex.tables(publication().all());
  }

  private PublicationTables publication() {
    return new PublicationTables(summary, experiment, results, goal);
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
          metric.equals(Metric.ERRORS) ? List.of() : BestSets.of(experiment, results, metric);
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
}
