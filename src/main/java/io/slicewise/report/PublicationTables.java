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
import io.slicewise.report.Grid.Entry;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.Estimate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

  List<Grid> all() {
    List<Grid> grids = new ArrayList<>();
    for (Metric metric : METRICS) {
      if (summary.cells().stream().anyMatch(cell -> cell.metrics().containsKey(metric))) {
        grids.add(metric(metric));
      }
    }
    goal.ifPresent(asked -> grids.add(goal(asked)));
    for (Load load : loads) {
      List<CellSummary> cells =
          summary.cells().stream()
              .filter(cell -> cell.load().equals(load) && !cell.domains().isEmpty())
              .toList();
      if (!cells.isEmpty()) {
        grids.add(shares(load, cells));
      }
    }
    return grids;
  }

  private Grid metric(Metric metric) {
    List<BestSet> sets = BestSets.of(experiment, results, metric);
    List<List<Entry>> rows = new ArrayList<>();
    for (String profile : profiles) {
      List<Entry> row = new ArrayList<>(List.of(Entry.plain(profile)));
      for (Load load : loads) {
        boolean best =
            sets.stream()
                .anyMatch(
                    set ->
                        set.load().equals(load)
                            && set.degreesOfFreedom() > 0
                            && set.profiles().contains(profile));
        row.add(
            estimate(profile, load, metric)
                .map(estimate -> new Entry(measured(estimate, 1), best))
                .orElse(Entry.plain(Numbers.UNKNOWN)));
      }
      rows.add(row);
    }
    return new Grid(
        title(metric) + " by profile and users: mean ± 95 % interval (deviation of trials)",
        headings(),
        columns(),
        rows,
        List.of("marked: best set of the load (Hsu, 95 %)", repetitions()));
  }

  private static String title(Metric metric) {
    return switch (metric) {
      case THROUGHPUT -> "Throughput, requests/s,";
      case MEAN -> "Response time, ms,";
      default -> metric.key() + " of the response time, ms,";
    };
  }

  private Grid goal(Goal asked) {
    List<List<Entry>> rows = new ArrayList<>();
    for (String profile : profiles) {
      List<Entry> row = new ArrayList<>(List.of(Entry.plain(profile)));
      for (Load load : loads) {
        row.add(
            Entry.plain(
                estimate(profile, load, asked.metric())
                    .map(estimate -> asked.judge(estimate).toString())
                    .orElse(Numbers.UNKNOWN)));
      }
      rows.add(row);
    }
    return new Grid(
        "Goal " + asked + " by profile and users",
        headings(),
        columns(),
        rows,
        List.of(
            "met: the whole 95 % interval reaches the goal; missed: none of it does; unclear:"
                + " otherwise"));
  }

  private Grid shares(Load load, List<CellSummary> cells) {
    List<List<Entry>> rows = new ArrayList<>();
    for (CellSummary cell : cells) {
      for (DomainSummary domain : cell.domains()) {
        rows.add(
            List.of(
                Entry.plain(cell.profile()),
                Entry.plain(domain.domain()),
                Entry.plain(measured(domain.run(), 100)),
                Entry.plain(measured(domain.waiting(), 100)),
                Entry.plain(measured(domain.blocked(), 100))));
      }
    }
    String at = load.users() == 0 ? "" : " at " + load.words();
    return new Grid(
        "Shares of each domain's vCPU time, percent," + at + ": mean ± 95 % interval (deviation)",
        List.of("profile", "domain", "run", "wait", "blocked"),
        List.of(true, true, false, false, false),
        rows,
        List.of());
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
    return Numbers.fixed(scale * estimate.mean(), 1)
        + " ± "
        + Numbers.fixed(scale * estimate.halfWidth(), 1)
        + " ("
        + Numbers.fixed(scale * estimate.deviation(), 1)
        + ")";
  }

  private List<String> headings() {
    List<String> headings = new ArrayList<>(List.of("profile"));
    loads.forEach(load -> headings.add(load.users() == 0 ? "no load" : load.words()));
    return headings;
  }

  private List<Boolean> columns() {
    List<Boolean> columns = new ArrayList<>(List.of(true));
    loads.forEach(load -> columns.add(false));
    return columns;
  }

  private String repetitions() {
    return "valid trials of a cell: "
        + summary.cells().stream()
            .map(CellSummary::n)
            .distinct()
            .sorted()
            .map(String::valueOf)
            .collect(Collectors.joining(", "))
        + "; "
        + summary.origin().sentence();
  }
}
