package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.compare.ComparisonQuestion;
import io.slicewise.cli.options.BundlePath;
import io.slicewise.cli.options.ComparedOptions.MetricText;
import io.slicewise.cli.options.PageOptions.Browser;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.cli.screens.TuneScreen;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.CellSummary.ObservedTopic;
import io.slicewise.evidence.analysis.Goal;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.SweepSummary;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.report.OpenMetrics;
import io.slicewise.report.Reports;
import io.slicewise.report.RunTables;
import io.slicewise.report.figure.RunFigure;
import io.slicewise.run.LoadedRun;
import io.slicewise.stats.IntervalMethod;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise report [DIR]}: rewrites the tables and files of a run and prints them. */
@Command(
    name = "report",
    mixinStandardHelpOptions = true,
    description =
        "Rewrites summary.json, tables and report.html, and prints the tables and the answer.")
public final class ReportCommand implements Callable<Integer> {
  @Mixin private RunChoice choice;

  @Option(
      names = "--interval",
      paramLabel = "student|log|published",
      defaultValue = "student",
      description =
          "Method for intervals (default: ${DEFAULT-VALUE}); log is for skewed values, published"
              + " reproduces the tables of the 2010 study.")
  private IntervalMethod interval;

  @Option(
      names = "--shares",
      paramLabel = "own|published",
      defaultValue = "own",
      description =
          "Shares relative to a domain's own vCPUs (default), or relative to all pCPUs as in the"
              + " 2010 study.")
  private Reports.Shares shares;

  @Option(
      names = "--where",
      paramLabel = "KEY=VALUE",
      split = ",",
      description =
          "Print only matching cells by load (users, neighbours, part), profile or domain, as in"
              + " --where users=300,profile=w512. Several values of one key match any of them.")
  private List<String> where = List.of();

  @Option(
      names = "--goal",
      paramLabel = "GOAL",
      converter = GoalText.class,
      description =
          "Show whether each cell meets this goal, as in --goal 'p95<200' (ms) or 'throughput>400'"
              + " (default: the experiment's goal).")
  private Optional<Goal> goal = Optional.empty();

  @Option(
      names = "--format",
      paramLabel = "text|json|csv|markdown|latex|openmetrics",
      defaultValue = "text",
      description =
          "Output format (default: ${DEFAULT-VALUE}); markdown and latex use the layout of the 2010"
              + " publication and mark the best set of each load; openmetrics is for Prometheus.")
  private Form format;

  @Option(
      names = "--figure",
      paramLabel = "METRIC",
      converter = MetricText.class,
      description =
          "Print only a figure of this metric by load, as SVG: throughput, mean, p50, p95, p99,"
              + " errors.")
  private Optional<Metric> figure = Optional.empty();

  @Option(names = "--open", description = "Also open report.html in the browser.")
  private boolean open;

  @Spec private CommandSpec spec;

  /** The output formats of a run's tables. */
  enum Form {
    TEXT,
    JSON,
    CSV,
    MARKDOWN,
    LATEX,
    OPENMETRICS
  }

  @Override
  public Integer call() {
    LoadedRun run = choice.run();
    CellFilter filter = CellFilter.of(where);
    Reports.Written written = Reports.write(run, interval, shares);
    PrintWriter out = spec.commandLine().getOut();
    Optional<Goal> asked = goal.or(() -> Goal.of(run.experiment()));
    if (figure.isPresent()) {
      out.print(RunFigure.svg(filter.of(written.summary()), figure.get()));
      out.flush();
      return ExitCode.OK.code();
    }
    RunTables tables = new RunTables(run, filter.of(written.summary()), asked);
    switch (format) {
      case TEXT -> {
        boolean all = where.isEmpty() && goal.isEmpty();
        int width = Terminal.tableWidth();
        (all ? written.text().apply(width) : tables.text(width)).forEach(out::println);
        if (all) {
          written
              .tune()
              .ifPresent(
                  tune -> {
                    out.println();
                    TuneScreen.lines(tune, written.advice(), run).forEach(out::println);
                  });
        }
        LabelledLines answer = new LabelledLines(width);
        written
            .digest()
            .answers()
            .forEach(text -> answer.add(answer.all().isEmpty() ? "ANSWER" : "", text));
        if (!answer.all().isEmpty()) {
          out.println();
          answer.all().forEach(out::println);
        }
        List<String> notes = written.notes().apply(width);
        if (all && !notes.isEmpty()) {
          out.println();
          notes.forEach(out::println);
        }
        out.println();
        out.println("report  " + BundlePath.kept(run.root(), written.html()));
      }
      case JSON -> out.println(tables.json());
      case CSV -> out.print(tables.csv());
      case MARKDOWN -> out.print(tables.markdown());
      case LATEX -> out.print(tables.latex());
      case OPENMETRICS ->
          out.print(
              new OpenMetrics(Instant.now())
                  .add(run, filter.of(written.summary()))
                  .add(written.summary().experiment(), written.advice().answer())
                  .add(ComparisonQuestion.STANDARD.within(RunEvidence.of(run), "baseline"))
                  .text());
    }
    if (open) {
      Browser.open(written.html());
    }
    return written.anyValid() ? ExitCode.OK.code() : ExitCode.NO_VALID_DATA.code();
  }

  /** {@code p95<200}. */
  static final class GoalText implements ITypeConverter<Goal> {
    @Override
    public Goal convert(String text) {
      try {
        return Goal.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' " + e.getMessage());
      }
    }
  }

  /** Selects cells of a run, as {@code users=300}, {@code neighbours=2}, {@code profile=w512}, … */
  private record CellFilter(Map<String, Set<String>> wanted) {
    private static final String PROFILE = "profile";
    private static final String DOMAIN = "domain";

    /**
     * Returns the filter that the options describe.
     *
     * @param texts of {@code KEY=VALUE}; of one key any of the values will do
     */
    static CellFilter of(List<String> texts) {
      Map<String, Set<String>> wanted = new HashMap<>();
      for (String text : texts) {
        int equals = text.indexOf('=');
        String key = equals < 0 ? text : text.substring(0, equals);
        if (equals < 0 || !keys().containsKey(key)) {
          throw SlicewiseException.input(
              "--where %s must be %s"
                  .formatted(
                      text,
                      keys().entrySet().stream()
                          .map(known -> known.getKey() + "=" + known.getValue())
                          .collect(Collectors.joining(", "))
                          .replaceFirst(", (?=domain)", " or ")),
              "as in: --where users=300,profile=w512");
        }
        wanted.computeIfAbsent(key, any -> new HashSet<>()).add(text.substring(equals + 1));
      }
      return new CellFilter(wanted);
    }

    SweepSummary of(SweepSummary summary) {
      List<CellSummary> cells =
          summary.cells().stream()
              .filter(cell -> takes(cell.load()))
              .filter(
                  cell ->
                      takes(PROFILE, cell.profile())
                          || takes(PROFILE, SchedulerProfile.fileName(cell.profile())))
              .map(this::places)
              .toList();
      if (cells.isEmpty()) {
        throw SlicewiseException.input(
            "the run has no cell of " + asked(),
            "it has %s and profiles %s"
                .formatted(
                    loads(summary.cells().stream().map(CellSummary::load).toList()),
                    list(summary.cells().stream().map(CellSummary::profile))));
      }
      return summary.with(cells);
    }

    /** Returns the keys, with what their values are. */
    private static Map<String, String> keys() {
      Map<String, String> keys = new LinkedHashMap<>();
      for (Axis axis : Axis.values()) {
        keys.put(axis.key(), axis.isNumeric() ? "N" : "NAME");
      }
      keys.put(PROFILE, "NAME");
      keys.put(DOMAIN, "NAME");
      return keys;
    }

    private boolean takes(Load load) {
      return Stream.of(Axis.values())
          .allMatch(axis -> takes(axis.key(), load.level(axis).map(Level::text).orElse("")));
    }

    private static String loads(List<Load> loads) {
      return Axis.of(loads.stream()).stream()
          .map(axis -> axis.key() + " " + Axis.list(axis.levels(loads)))
          .collect(Collectors.joining(", "));
    }

    private String asked() {
      return wanted.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .map(entry -> entry.getKey() + " " + list(entry.getValue().stream().sorted()))
          .collect(Collectors.joining(" and "));
    }

    private static String list(Stream<String> values) {
      return values.distinct().collect(Collectors.joining(", "));
    }

    private CellSummary places(CellSummary cell) {
      return cell.observing(
          cell.observed().stream()
              .map(
                  seen ->
                      new ObservedTopic(
                          seen.topic(),
                          seen.places().stream()
                              .filter(place -> takes(DOMAIN, place.place().name()))
                              .toList()))
              .filter(seen -> !seen.places().isEmpty())
              .toList());
    }

    private boolean takes(String key, String value) {
      return !wanted.containsKey(key) || wanted.get(key).contains(value);
    }
  }
}
