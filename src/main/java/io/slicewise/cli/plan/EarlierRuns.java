package io.slicewise.cli.plan;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.plan.PlanDraft.Scatter;
import io.slicewise.cli.screens.Damages;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.findings.SwitchedScatter;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The scatter of trials within a cell in earlier runs: CV = √(Σ(nᵢ−1)(sᵢ/x̄ᵢ)² / Σ(nᵢ−1)) over
 * their cells, the pooled deviation of a one-way layout (G. E. P. Box, W. G. Hunter, J. S. Hunter,
 * <i>Statistics for Experimenters</i>, 2nd ed. 2005, section 4.1), of the 95th percentile of
 * response times.
 */
final class EarlierRuns {
  private static final Metric METRIC = Metric.P95;

  private EarlierRuns() {}

  /**
   * The scatter of all runs together; what is damaged of one is reported first.
   *
   * @throws SlicewiseException with {@code USAGE} when no cell has two valid trials
   */
  static Scatter scatter(List<Path> directories, PrintWriter err) {
    List<CellSummary> cells = new ArrayList<>();
    Optional<SwitchedScatter> switched = Optional.empty();
    for (Path directory : directories) {
      LoadedRun run = Damages.loaded(err, RunDirectory.open(directory));
      Experiment experiment = run.experiment();
      List<TrialResult> results = run.results();
      Optional<SwitchedScatter> earlier = switched;
      cells.addAll(Summaries.summarise(experiment, results, List.of()).cells());
      switched = SwitchedScatter.of(experiment, results).or(() -> earlier);
    }
    Optional<SwitchedScatter> last = switched;
    return scatter(cells, directories.size())
        .map(trials -> new Scatter(trials.cv(), trials.source(), last))
        .or(() -> last.map(EarlierRuns::ofSessions))
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "no cell of the earlier runs has two valid trials with a known " + METRIC.key(),
                    "give the scatter with --cv, or leave out both options"));
  }

  /** A single session shows nothing about trials: a window's scatter is the least they can have. */
  private static Scatter ofSessions(SwitchedScatter switched) {
    double cv = Math.sqrt(Math.expm1(switched.within() * switched.within() / 2));
    String source =
        "%s of %d windows of a session and its baseline"
            .formatted(switched.metric().key(), switched.ratios());
    return new Scatter(cv, source, Optional.of(switched));
  }

  static Optional<Scatter> scatter(List<CellSummary> cells, int runs) {
    List<Estimate> estimates =
        cells.stream()
            .flatMap(cell -> Stream.ofNullable(cell.metrics().get(METRIC)))
            .filter(estimate -> estimate.n() > 1 && estimate.mean() > 0)
            .toList();
    int freedom = estimates.stream().mapToInt(estimate -> estimate.n() - 1).sum();
    if (freedom == 0) {
      return Optional.empty();
    }
    double squares =
        estimates.stream()
            .mapToDouble(e -> (e.n() - 1) * Math.pow(e.deviation() / e.mean(), 2))
            .sum();
    String source =
        "%s of %s trials in %s"
            .formatted(
                METRIC.key(),
                freedom + estimates.size(),
                runs == 1 ? "an earlier run" : runs + " earlier runs");
    return Optional.of(new Scatter(Math.sqrt(squares / freedom), source));
  }
}
