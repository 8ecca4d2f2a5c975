package io.slicewise.cli.compare;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.ChangeOptions;
import io.slicewise.cli.options.ComparedOptions.MetricText;
import io.slicewise.cli.options.LoadFilter;
import io.slicewise.cli.options.PageOptions;
import io.slicewise.cli.options.Percent;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.runs.History;
import io.slicewise.report.HistoryPage;
import io.slicewise.report.HistoryReport;
import io.slicewise.report.RunAnswer;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.stats.Band;
import io.slicewise.stats.ChangePoints;
import io.slicewise.stats.Verdict;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise history DIR…}: shows a metric over many runs and where it changed. */
@Command(
    name = "history",
    mixinStandardHelpOptions = true,
    description = {
      "Shows a metric over many runs and where it changed, to distinguish a regression from noise.",
      "A series contains only runs on the same host under the same conditions. Changes nothing."
    })
public final class HistoryCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..*",
      defaultValue = RunChoice.RESULTS,
      description =
          "Run directories, or directories that contain them (default: ${DEFAULT-VALUE}).")
  private List<Path> directories;

  @Option(
      names = "--metric",
      paramLabel = "METRIC",
      converter = MetricText.class,
      description =
          "throughput, mean, p50, p95 or p99 (default: the experiments' goal, otherwise p95, or"
              + " mean if p95 is unknown).")
  private Optional<Metric> metric = Optional.empty();

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "Show only this profile; may be repeated.")
  private List<String> profiles = List.of();

  @Mixin private LoadFilter loads;

  @Mixin private ChangeOptions change;

  @Option(
      names = "--level",
      paramLabel = "PERCENT",
      converter = Percent.class,
      defaultValue = "1%",
      description =
          "Significance level: the share of unchanged series that may raise an alarm (default:"
              + " 1%%).")
  private double level;

  @Option(
      names = "--fail-on",
      paramLabel = "worse|undecided",
      description =
          "Exit with 10 if the newest run is the first to show a change for the worse; 'undecided'"
              + " also exits with 11 if a series is too short.")
  private Optional<CompareCommand.FailOn> failOn = Optional.empty();

  @Option(
      names = "--plain",
      description = "Draw series with digits 0 to 9 instead of block characters.")
  private boolean plain;

  @Mixin private PageOptions page;

  @Spec private CommandSpec spec;
  private final Map<String, RunAnswer> answers = new HashMap<>();
  private final Set<Optional<Metric>> goals = new LinkedHashSet<>();

  /** The JSON output. */
  record Told(int exitCode, List<RunAnswer> answers, History history) {}

  @Override
  public Integer call() {
    List<MeasuredRun> runs = new ArrayList<>();
    for (Path directory : directories) {
      runs(directory).forEach(root -> runs.add(measured(RunDirectory.open(root))));
    }
    if (runs.isEmpty()) {
      throw SlicewiseException.input(
          directories.stream()
              .map(Path::toString)
              .collect(Collectors.joining(", ", "there is no run in ", "")),
          "'slicewise run' creates run directories, by default in results/");
    }
    History history =
        History.of(
            runs, metric.orElseGet(() -> known(runs)), new Band(change.band()), level, this::asks);
    ExitCode code = code(history);
    List<RunAnswer> answers = answers(history);
    print(history, answers, code);
    page.write(() -> HistoryPage.html(history, answers, runs));
    return code.code();
  }

  /** Returns the answers of the runs that are the newest of a series. */
  private List<RunAnswer> answers(History history) {
    return history.series().stream()
        .map(series -> series.newest().run())
        .distinct()
        .map(answers::get)
        .toList();
  }

  private MeasuredRun measured(RunDirectory directory) {
    LoadedRun run = Damages.loaded(spec.commandLine().getErr(), directory);
    goals.add(run.experiment().aim().goal().map(goal -> Metric.of(goal)));
    RunEvidence evidence = RunEvidence.of(run);
    answers.put(run.name(), RunAnswer.of(evidence));
    return evidence.measured();
  }

  private boolean asks(MeasuredRun.MeasuredCell cell) {
    return (profiles.isEmpty() || profiles.contains(cell.profile())) && loads.takes(cell.load());
  }

  /**
   * Returns the goal of the experiments if they share one and every run has it, else p95, else the
   * mean, with a notice on standard error.
   */
  private Metric known(List<MeasuredRun> runs) {
    List<MeasuredRun> asked =
        runs.stream()
            .map(run -> run.with(run.cells().stream().filter(this::asks).toList()))
            .toList();
    Metric wanted = goals.size() == 1 ? goals.iterator().next().orElse(Metric.P95) : Metric.P95;
    for (Metric metric : List.of(wanted, Metric.P95)) {
      if (asked.stream().allMatch(run -> run.knows(metric))) {
        return metric;
      }
    }
    spec.commandLine()
        .getErr()
        .println(
            "using mean: %s is unknown in some trials of %s; use --metric %s to take the known ones"
                .formatted(
                    wanted.key(),
                    asked.stream()
                        .filter(run -> !run.knows(wanted))
                        .map(MeasuredRun::name)
                        .collect(Collectors.joining(", ")),
                    wanted.key()));
    return Metric.MEAN;
  }

  private static List<Path> runs(Path directory) {
    if (RunDirectory.isOne(directory)) {
      return List.of(directory);
    }
    if (!Files.isDirectory(directory)) {
      throw SlicewiseException.input(
          Files.exists(directory)
              ? directory + " is neither a run directory nor a directory with runs"
              : "there is no run in " + directory,
          "'slicewise run' creates run directories, by default in results/");
    }
    return RunDirectory.below(directory);
  }

  private ExitCode code(History history) {
    if (history.series().isEmpty()) {
      return ExitCode.NO_VALID_DATA;
    }
    if (failOn.isPresent() && history.anyFresh(Verdict.WORSE)) {
      return ExitCode.WORSE;
    }
    boolean tooShort =
        history.series().stream().anyMatch(s -> s.nights().size() < ChangePoints.FEWEST);
    return tooShort && failOn.equals(Optional.of(CompareCommand.FailOn.UNDECIDED))
        ? ExitCode.UNDECIDED
        : ExitCode.OK;
  }

  private void print(History history, List<RunAnswer> answers, ExitCode code) {
    PrintWriter out = spec.commandLine().getOut();
    HistoryReport report = new HistoryReport(history, answers);
    switch (change.format()) {
      case TEXT ->
          report
              .text(
                  Terminal.tableWidth(),
                  !plain && Charset.defaultCharset().equals(StandardCharsets.UTF_8))
              .forEach(out::println);
      case JSON -> out.println(Json.text(new Told(code.code(), answers, history)));
      case CSV -> out.print(report.csv());
      case MARKDOWN -> out.print(report.markdown());
    }
  }
}
