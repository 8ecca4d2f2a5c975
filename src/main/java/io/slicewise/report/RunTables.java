package io.slicewise.report;

import io.slicewise.base.json.Json;
import io.slicewise.evidence.analysis.BestSet;
import io.slicewise.evidence.analysis.BestSets;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.DomainSummary;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
  public RunTables(RunDirectory run, SweepSummary summary, Optional<Goal> goal) {
    this.summary = summary;
    this.experiment = run.readExperiment();
    this.results = run.results();
    this.goal = goal;
  }

  /** Returns the tables as text, with the best sets and the goal. */
  public List<String> text() {
    List<String> lines = new ArrayList<>();
    lines.add(Sentences.headline(summary));
    lines.addAll(Wrap.lines(summary.origin().sentence(), "origin  ", "        ", Wrap.WIDTH));
    for (Table table : ResultTables.of(summary, experiment, results)) {
      lines.add("");
      lines.addAll(TextTable.lines(table));
    }
    goal.ifPresent(
        asked -> grids().stream().filter(Grid::isGoal).forEach(grid -> add(lines, grid)));
    return lines;
  }

  private static void add(List<String> lines, Grid grid) {
    lines.add("");
    lines.add(grid.caption());
    List<List<String>> rows = new ArrayList<>(List.of(grid.headings()));
    grid.rows().forEach(row -> rows.add(row.stream().map(Grid.Entry::text).toList()));
    lines.addAll(TextColumns.lines(rows, grid.left()));
    grid.notes().forEach(note -> lines.addAll(Wrap.footnote(note)));
  }

  /** Returns the publication's layout as Markdown; the best set is bold. */
  public String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# ").append(Markdown.escape(Sentences.title(summary))).append("\n\n");
    text.append(Markdown.escape(Sentences.headline(summary))).append("  \n");
    text.append(Markdown.escape(summary.origin().sentence())).append("\n\n");
    for (Grid grid : grids()) {
      text.append("**").append(Markdown.escape(grid.caption())).append("**\n\n");
      text.append(Markdown.grid(grid)).append('\n');
      grid.notes().forEach(note -> text.append("- ").append(Markdown.escape(note)).append('\n'));
      text.append('\n');
    }
    Sentences.footnotes(summary)
        .forEach(note -> text.append("- ").append(Markdown.escape(note)).append('\n'));
    return text.toString();
  }

  /** Returns the publication's layout as LaTeX. */
  public String latex() {
    return Latex.tables(grids());
  }

  private List<Grid> grids() {
    return new PublicationTables(summary, experiment, results, goal).all();
  }

  /** Returns the content of {@code summary.json} for the selected cells. */
  public String json() {
    return Json.text(summary);
  }

  /**
   * Returns one CSV line per estimate (RFC 4180): full precision, shares 0..1, empty if unknown.
   */
  public String csv() {
    StringBuilder text =
        new StringBuilder(
            "profile,"
                + (CellColumns.sweepsNeighbours(summary) ? "users,neighbours" : "users")
                + ",domain,measure,n,mean,deviation,low,high,best_set,goal,origin\r\n");
    for (Metric metric : Metric.values()) {
      List<BestSet> sets =
          metric == Metric.ERRORS ? List.of() : BestSets.of(experiment, results, metric);
      for (CellSummary cell : summary.cells()) {
        Estimate estimate = cell.metrics().get(metric);
        if (estimate != null) {
          text.append(
              line(cell, "", metric.key(), estimate, best(sets, cell), reached(metric, estimate)));
        }
      }
    }
    for (CellSummary cell : summary.cells()) {
      for (DomainSummary domain : cell.domains()) {
        text.append(line(cell, domain.domain(), "run", domain.run(), "", ""));
        text.append(line(cell, domain.domain(), "wait", domain.waiting(), "", ""));
        text.append(line(cell, domain.domain(), "blocked", domain.blocked(), "", ""));
      }
    }
    return text.toString();
  }

  private static String best(List<BestSet> sets, CellSummary cell) {
    return sets.stream()
        .filter(set -> set.load().equals(cell.load()) && set.degreesOfFreedom() > 0)
        .findFirst()
        .map(set -> String.valueOf(set.profiles().contains(cell.profile())))
        .orElse("");
  }

  private String reached(Metric metric, Estimate estimate) {
    return goal.filter(asked -> asked.metric() == metric)
        .map(asked -> asked.judge(estimate).toString())
        .orElse("");
  }

  private String line(
      CellSummary cell,
      String domain,
      String measure,
      Estimate estimate,
      String best,
      String reached) {
    return List.of(
            Csv.text(cell.profile()),
            CellColumns.fields(cell.load()),
            Csv.text(domain),
            Csv.text(measure),
            String.valueOf(estimate.n()),
            Csv.number(estimate.mean()),
            Csv.number(estimate.deviation()),
            Csv.number(estimate.low()),
            Csv.number(estimate.high()),
            best,
            reached,
            summary.origin().kind().word())
        .stream()
        .collect(Collectors.joining(",", "", "\r\n"));
  }
}
