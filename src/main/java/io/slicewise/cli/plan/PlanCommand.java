package io.slicewise.cli.plan;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.Percent;
import io.slicewise.cli.options.StatedToolstack;
import io.slicewise.cli.plan.PlanDraft.Scatter;
import io.slicewise.cli.plan.TrafficPlan.PlanOnTraffic;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.analysis.CellSummary;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.analysis.Summaries;
import io.slicewise.evidence.findings.SwitchedScatter;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.HostSpec;
import io.slicewise.experiment.Order;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.sweep.LoadGenerators;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise plan FILE}: shows what a sweep would do. Reads the host, changes nothing. */
@Command(
    name = "plan",
    mixinStandardHelpOptions = true,
    description =
        "Shows what an experiment would run, how long it takes, what it would change on the host"
            + " and which effects it can detect. Changes nothing.")
public final class PlanCommand implements Callable<Integer> {
  private final Clock clock;

  @Parameters(paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(names = "--offline", description = "Do not contact the host.")
  private boolean offline;

  @Option(
      names = "--toolstack",
      paramLabel = "xl|xm[-VERSION]",
      converter = StatedToolstack.Converter.class,
      description =
          "With --offline: show the commands of this toolstack, as in xm or xl-4.5 (default: the"
              + " experiment's toolstack, else xl-4.17).")
  private Optional<StatedToolstack> toolstack = Optional.empty();

  @Option(
      names = "--order",
      paramLabel = "blocks|as-written|loads-as-written",
      converter = OrderConverter.class,
      description = "Order of the trials (default: as in the file).")
  private Order order;

  @ArgGroup private Known known;

  /** The options that give the scatter of trials. */
  static final class Known {
    @Option(
        names = "--cv",
        paramLabel = "PERCENT",
        converter = Percent.class,
        description =
            "Coefficient of variation of the trials in a cell, as in 2.7%% (default: 5%%).")
    private Double cv;

    @Option(
        names = "--like",
        paramLabel = "DIR",
        description = "Earlier runs to estimate the coefficient of variation from.")
    private List<Path> runs;
  }

  @Option(
      names = "--traffic",
      paramLabel = "LOG",
      description =
          "An access log that the site has: shows what pairs would need under its traffic; the host is"
              + " not contacted. May be given several times; .gz is read, too.")
  private List<Path> logs = List.of();

  @Option(names = "--trials", description = "List every trial.")
  private boolean everyTrial;

  @Option(names = "--commands", description = "List every command and its undo.")
  private boolean everyCommand;

  @Mixin private OutputOptions output;
  @Spec private CommandSpec spec;

  PlanCommand() {
    this(Clock.system(ZoneId.systemDefault()));
  }

  PlanCommand(Clock clock) {
    this.clock = clock;
  }

  @Override
  public Integer call() {
    Experiment written = EmbeddedHost.read(file);
    written.workload().refuseWrittenSecrets();
    if (!logs.isEmpty()) {
      TrafficPlan plan = PlanOnTraffic.of(written, logs);
      output.print(plan, () -> plan.lines(Terminal.width()));
      return ExitCode.OK.code();
    }
    LoadGenerators.code(written); // refuses a file that is no plan, before the host is asked
    Experiment experiment = order == null ? written : written.inOrder(order);
    if (experiment.tuning().isPresent()) {
      return planOfTune(experiment);
    }
    PlanOutline plan =
        look(experiment, host -> new PlanDraft(experiment, host, clock).outline(scatter()));
    output.print(
        plan, () -> new PlanScreen(plan, Terminal.width()).lines(everyTrial, everyCommand));
    return code(plan.remarks().problems());
  }

  private static int code(List<String> problems) {
    return problems.isEmpty() ? ExitCode.OK.code() : ExitCode.PREFLIGHT.code();
  }

  private int planOfTune(Experiment experiment) {
    TunePlan plan = look(experiment, host -> TunePreflight.plan(experiment, file, host, scatter()));
    output.print(plan, plan::lines);
    return code(plan.problems());
  }

  private <T> T look(Experiment experiment, Function<HostView, T> use) {
    if (offline) {
      return use.apply(
          HostView.none(
              experiment.host().map(HostSpec::address).orElse("the embedded lab"),
              toolstack.orElseGet(() -> StatedToolstack.of(experiment))));
    }
    try (EmbeddedHost host = EmbeddedHost.toLookAt(experiment)) {
      return HostView.look(host.experiment(), use);
    }
  }

  private PlanDraft.Scatter scatter() {
    if (known == null) {
      return PlanDraft.Scatter.ASSUMED;
    }
    return known.cv == null
        ? EarlierRuns.scatter(known.runs, spec.commandLine().getErr())
        : PlanDraft.Scatter.given(known.cv);
  }

  /** Converts an order as written in files; what a kind of study needs, only a file has. */
  public static final class OrderConverter implements ITypeConverter<Order> {
    @Override
    public Order convert(String text) {
      return Order.named(text)
          .filter(order -> !order.searches())
          .orElseThrow(
              () ->
                  new TypeConversionException(
                      "'" + text + "' is not blocks, as-written or loads-as-written"));
    }
  }

  /**
   * The scatter of trials within a cell in earlier runs: CV = √(Σ(nᵢ−1)(sᵢ/x̄ᵢ)² / Σ(nᵢ−1)) over
   * their cells, the pooled deviation of a one-way layout (G. E. P. Box, W. G. Hunter, J. S.
   * Hunter, <i>Statistics for Experimenters</i>, 2nd ed. 2005, section 4.1), of the 95th percentile
   * of response times.
   */
  static final class EarlierRuns {
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
                      "no cell of the earlier runs has two valid trials with a known "
                          + METRIC.key(),
                      "give the scatter with --cv, or leave out both options"));
    }

    /**
     * A single session shows nothing about trials: a window's scatter is the least they can have.
     */
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
}
