package io.slicewise.report;

import io.slicewise.base.units.NumberText;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.LabelSummary;
import io.slicewise.evidence.analysis.Comparison;
import io.slicewise.evidence.analysis.Comparisons;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Question;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.effects.FactorEffects;
import io.slicewise.evidence.findings.BestSet;
import io.slicewise.evidence.findings.NeighbourEffects;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.load.generator.GeneratorHealth;
import io.slicewise.report.table.Cell;
import io.slicewise.report.table.CellColumns;
import io.slicewise.report.table.Table;
import io.slicewise.report.table.Table.Column;
import io.slicewise.report.table.TableBuilder;
import io.slicewise.report.table.TableBuilder.Part;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialLoad.GeneratorResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Estimate;
import io.slicewise.workload.Traffic;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

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
    TileTable.of(summary, experiment, results, bestSets)
        .ifPresent(table -> tables.add(Math.min(1, tables.size()), table));
    tables.addAll(Math.min(1, tables.size()), SessionTables.of(summary, experiment.baseline()));
    FactorEffects.of(experiment, results, Question.of(experiment, results))
        .ifPresent(effects -> tables.add(FactorReport.table(effects)));
    GeneratorTable.of(results).ifPresent(tables::add);
    LogTable.of(experiment, results).ifPresent(tables::add);
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

  /**
   * What throughput and response times count: relevant for custom plans and transactions.
   *
   * @param what {@code throughput}, {@code requests} or {@code transactions}
   * @param labels included in the total; empty if all are
   */
  private record Counted(String what, List<String> labels) {
    private static final int MOST_SHOWN = 8;
    private static final String OWN_PLAN = "plan";
    private static final String REQUESTS = "requests";

    /** The default. */
    static final Counted THROUGHPUT = new Counted("throughput", List.of());

    Counted {
      labels = List.copyOf(labels);
    }

    static Counted of(Experiment experiment, List<TrialResult> results) {
      List<LoadResult> loads = results.stream().flatMap(result -> result.load().stream()).toList();
      List<String> kinds = loads.stream().map(LoadResult::counts).distinct().toList();
      boolean own = experiment.workload().name().equals(OWN_PLAN);
      return kinds.size() == 1 && !kinds.get(0).isEmpty() && (own || !kinds.get(0).equals(REQUESTS))
          ? new Counted(kinds.get(0), own ? labels(experiment, loads, kinds.get(0)) : List.of())
          : THROUGHPUT;
    }

    private static List<String> labels(Experiment experiment, List<LoadResult> loads, String kind) {
      Optional<List<?>> chosen =
          Optional.ofNullable(experiment.workload().options().get("labels")).map(List.class::cast);
      return loads.stream()
          .flatMap(load -> load.labels().stream())
          .filter(label -> label.counts().equals(kind))
          .map(LoadResult::label)
          .filter(label -> chosen.map(labels -> labels.contains(label)).orElse(true))
          .distinct()
          .toList();
    }

    /** Returns the heading of the column of rates. */
    String rate() {
      return what + " /s";
    }

    /** Returns the beginning of the total table's title. */
    String title() {
      return labels.isEmpty()
          ? "Throughput and response time"
          : "Throughput and response time of the %s %s".formatted(what, shown());
    }

    private String shown() {
      String first = labels.stream().limit(MOST_SHOWN).collect(Collectors.joining(", "));
      return labels.size() <= MOST_SHOWN
          ? first
          : "%s and %d more".formatted(first, labels.size() - MOST_SHOWN);
    }
  }

  /** The table of a site's log: what it left out, how late its lines came, and its clock. */
  private static final class LogTable {
    private LogTable() {}

    /** What a log showed of the windows with a profile, those that do not count included. */
    private record Logged(String profile, List<TrialResult> windows) {
      double sum(String measure) {
        return values(measure).sum();
      }

      double worst(String measure) {
        return values(measure).max().orElse(Double.NaN);
      }

      double mean(String measure) {
        return values(measure).average().orElse(Double.NaN);
      }

      private DoubleStream values(String measure) {
        OutcomeMetric metric = new OutcomeMetric(measure);
        return windows.stream()
            .mapToDouble(result -> metric.value(result.measures()))
            .filter(Double::isFinite);
      }

      long requests() {
        return windows.stream()
            .flatMap(result -> result.load().stream())
            .mapToLong(LoadResult::samples)
            .sum();
      }

      double perSecond() {
        return requests() / windows.stream().mapToDouble(one -> one.window().seconds()).sum();
      }

      double leftOut() {
        double left = sum(Traffic.LEFT_OUT);
        return 100 * left / (left + requests());
      }

      long without() {
        return windows.stream().filter(result -> !result.valid()).count();
      }
    }

    /** Returns the table; empty if no log was read. */
    static Optional<Table> of(Experiment experiment, List<TrialResult> results) {
      OutcomeMetric clock = new OutcomeMetric(Traffic.CLOCK_AHEAD);
      List<Logged> rows =
          experiment.profiles().stream()
              .map(
                  profile ->
                      new Logged(
                          profile.name(),
                          results.stream()
                              .filter(one -> one.trial().profile().equals(profile.name()))
                              .filter(one -> Double.isFinite(clock.value(one.measures())))
                              .toList()))
              .filter(row -> !row.windows().isEmpty())
              .toList();
      return rows.isEmpty() ? Optional.empty() : Optional.of(table(rows));
    }

    private static Table table(List<Logged> rows) {
      return TableBuilder.of(rows)
          .name("profile", Logged::profile)
          .count("windows", row -> row.windows().size())
          .count("void", Logged::without)
          .count("requests", Logged::requests)
          .number("requests /s", "requests_per_second", 2, Logged::perSecond)
          .number("left out %", "left_out_percent", 2, Logged::leftOut)
          .number("late", "unfinished", 0, row -> row.sum(Traffic.UNFINISHED_BEFORE))
          .number("unread lines", "not_understood", 0, row -> row.sum(Traffic.NOT_UNDERSTOOD))
          .number("line late ms", "lateness_ms", 0, row -> row.worst(Traffic.LATENESS))
          .number("clock ms", "clock_ahead_ms", 1, row -> row.mean(Traffic.CLOCK_AHEAD))
          .number("± ms", "clock_bound_ms", 1, row -> row.worst(Traffic.CLOCK_BOUND))
          .table(
              "log",
              "The log, by setting",
              List.of(
                  "void: windows that do not count, such as those with a gap, a truncated log or a"
                      + " clock that was set",
                  "requests /s: settings should not change how many users arrive",
                  "late: requests of the window before that ended too late for it",
                  "line late: the longest time from a request's end to its line",
                  "clock: the log's machine ahead of this one, known to ±"));
    }
  }

  /**
   * The table of the generators of a load from other machines: what each of them did, and the worst
   * of its trials.
   */
  private static final class GeneratorTable {
    private GeneratorTable() {}

    /** Returns the table; empty if this machine generated the load alone. */
    static Optional<Table> of(List<TrialResult> results) {
      List<Axis> axes = Axis.of(results.stream().map(result -> result.trial().load()));
      Map<Load, Map<String, List<Share>>> all = new TreeMap<>();
      for (TrialResult result : results) {
        for (GeneratorResult one : result.loaded().generators()) {
          if (one.users() > 0) {
            all.computeIfAbsent(result.trial().load(), none -> new LinkedHashMap<>())
                .computeIfAbsent(one.name(), none -> new ArrayList<>())
                .add(new Share(one, result.window().seconds()));
          }
        }
      }
      List<Row> rows = new ArrayList<>();
      all.forEach(
          (load, names) ->
              names.forEach((name, shares) -> rows.add(new Row(load, name, List.copyOf(shares)))));
      return rows.isEmpty() ? Optional.empty() : Optional.of(table(axes, rows));
    }

    /** What a generator did in a window of that length. */
    private record Share(GeneratorResult result, double seconds) {
      double rate() {
        return result.requests() / seconds;
      }
    }

    /** What a generator did in all trials at a load. */
    private record Row(Load load, String name, List<Share> shares) {}

    private static Table table(List<Axis> axes, List<Row> rows) {
      return TableBuilder.of(rows)
          .load(axes, Row::load)
          .name("generator", Row::name)
          .count("n", row -> row.shares().size())
          .column(
              new Column("its users", "its_users", Table.Type.COUNT),
              row -> new Cell.Count(row.shares().get(0).result().users()))
          .number("requests /s", "requests_per_second", 1, row -> mean(row, Share::rate))
          .number("CPU s", "cpu_seconds", 2, row -> mean(row, one -> health(one).cpuSeconds()))
          .number(
              "busy %", "busy_percent", 0, row -> mean(row, one -> 100 * health(one).busyShare()))
          .number(
              "late ms",
              "lateness_p99_ms",
              1,
              row -> worst(row, one -> health(one).latenessP99Millis()))
          .number(
              "clock ms",
              "clock_offset_ms",
              2,
              row -> mean(row, one -> one.result().clockOffsetMillis()))
          .number(
              "± ms",
              "clock_bound_ms",
              2,
              row -> worst(row, one -> one.result().clockBoundMillis()))
          .number(
              "drift ms",
              "clock_drift_ms",
              2,
              row -> worst(row, one -> one.result().clockDriftMillis()))
          .table(
              "generators",
              "Load generators: means of trials, and the worst lateness, clock bound and drift");
    }

    private static GeneratorHealth health(Share share) {
      return share.result().health();
    }

    private static double mean(Row row, ToDoubleFunction<Share> value) {
      return known(row, value).average().orElse(Double.NaN);
    }

    /** Returns the value that is farthest from zero, with its sign. */
    private static double worst(Row row, ToDoubleFunction<Share> value) {
      return known(row, value)
          .boxed()
          .reduce((one, other) -> Math.abs(other) > Math.abs(one) ? other : one)
          .orElse(Double.NaN);
    }

    private static DoubleStream known(Row row, ToDoubleFunction<Share> value) {
      return row.shares().stream().mapToDouble(value).filter(Double::isFinite);
    }
  }

  /**
   * The table of the best profile for each number of neighbours, and the cost of the neighbours in
   * throughput and in the primary metric.
   */
  private record InterferenceTable(
      SweepSummary summary, Experiment experiment, List<TrialResult> results) {

    /** Returns the table of an experiment that sweeps neighbours, by metric, load and profile. */
    static Table of(SweepSummary summary, Experiment experiment, List<TrialResult> results) {
      return new InterferenceTable(summary, experiment, results).table();
    }

    /** What is known of a metric. */
    private record Known(
        Metric metric, List<Comparison> effects, List<Comparison> profiles, List<BestSet> sets) {}

    private Table table() {
      Set<Metric> metrics = new LinkedHashSet<>(List.of(Metric.THROUGHPUT));
      metrics.add(Question.of(experiment, results).primary());
      int fewest = (int) Collections.min(experiment.levels(Axis.NEIGHBOURS)).number();
      String alone = fewest == 0 ? "% from alone" : "% from " + fewest + " neighbours";
      return TableBuilder.of(metrics.stream().map(this::known).toList(), this::cells)
          .load(CellColumns.axes(summary), row -> row.part().load())
          .column(Column.name("profile"), row -> profile(row.whole().sets(), row.part()))
          .count("n", row -> value(row).n())
          .name("metric", row -> row.whole().metric().key())
          .name("unit", row -> row.whole().metric().unit())
          .measured("value", "value", 1, 1, InterferenceTable::value)
          .change(alone, "change", row -> change(row.whole().effects(), row.part()))
          .change(
              "% from " + experiment.baseline(),
              "from_baseline",
              row -> change(row.whole().profiles(), row.part()))
          .column(
              new Column("best set", "best_set", Table.Type.NAME),
              row -> new Cell.Text(best(row.whole().sets(), row.part())))
          .table(
              "interference",
              ("Interference: change caused by neighbours, and change from %s, with 95 %%"
                      + " intervals; best set of each load alone (Hsu, 95 %%)")
                  .formatted(experiment.baseline()));
    }

    private Known known(Metric metric) {
      return new Known(
          metric,
          NeighbourEffects.of(experiment, results, metric),
          Comparisons.of(experiment, results, Question.of(experiment, results)).stream()
              .filter(comparison -> comparison.metric().equals(metric))
              .toList(),
          BestSet.of(experiment, results, metric));
    }

    private List<CellSummary> cells(Known known) {
      return summary.cells().stream()
          .filter(cell -> cell.metrics().containsKey(known.metric()))
          .sorted(Comparator.comparing(CellSummary::load))
          .toList();
    }

    private static Estimate value(Part<Known, CellSummary> row) {
      return row.part().metrics().get(row.whole().metric());
    }

    private static Cell profile(List<BestSet> sets, CellSummary cell) {
      return new Cell.Text(cell.profile(), CellColumns.isBest(sets, cell.load(), cell.profile()));
    }

    private static Change change(List<Comparison> comparisons, CellSummary cell) {
      return comparisons.stream()
          .filter(one -> one.load().equals(cell.load()) && one.profile().equals(cell.profile()))
          .findFirst()
          .map(Comparison::change)
          .orElse(Change.UNKNOWN);
    }

    /**
     * Returns a dash if there are too few trials for a set, and for controls, which are in none.
     */
    private static String best(List<BestSet> sets, CellSummary cell) {
      return sets.stream()
          .filter(set -> set.load().equals(cell.load()) && set.known())
          .flatMap(set -> set.places().stream())
          .filter(place -> place.profile().equals(cell.profile()))
          .findFirst()
          .map(place -> place.inBestSet() ? "yes" : "no")
          .orElse(NumberText.UNKNOWN);
    }
  }

  /** The tables of labels and of a workload's own measures. */
  private static final class LabelTables {
    private LabelTables() {}

    static Table labels(CellColumns cells) {
      return cells
          .table(CellSummary::labels, label -> metric(label, Metric.THROUGHPUT).n())
          .name("label", row -> row.part().label())
          .measured(
              "throughput /s", "throughput", 1, 2, row -> metric(row.part(), Metric.THROUGHPUT))
          .measured("mean ms", "mean_ms", 1, 1, row -> metric(row.part(), Metric.MEAN))
          .measured("p95 ms", "p95_ms", 1, 0, row -> metric(row.part(), Metric.P95))
          .measured("errors %", "errors", 100, 1, row -> metric(row.part(), Metric.ERRORS))
          .table("labels", "By label, " + cells.meanOf());
    }

    private static Estimate metric(LabelSummary label, Metric metric) {
      return CellColumns.metric(label.metrics(), metric);
    }

    static Table measures(CellColumns cells) {
      return cells
          .table(CellSummary::measures, measure -> measure.estimate().n())
          .name("measure", row -> row.part().name())
          .name("unit", row -> row.part().unit())
          .measured("value", "value", 1, 3, row -> row.part().estimate())
          .table("measures", "The workload's own measures, " + cells.meanOf());
    }
  }
}
