package io.slicewise.cli.commands;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.options.BusyMachine;
import io.slicewise.cli.options.NewRunOptions;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.PlanCodeOption;
import io.slicewise.cli.options.RunOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.plan.TunePreflight;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.published.ProfileMeans;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.report.table.TextColumns;
import io.slicewise.run.RunDirectory;
import io.slicewise.tune.Rules;
import io.slicewise.tune.replay.Replay;
import io.slicewise.tune.replay.Replay.Noise;
import io.slicewise.tune.replay.ReplayReport;
import io.slicewise.tune.replay.Surface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code slicewise tune FILE}: looks for the best settings; with a table, replays the decisions.
 */
@Command(
    name = "tune",
    mixinStandardHelpOptions = true,
    description = {
      "Looks for the best settings within a budget: simulates candidates, races them on the host,"
          + " confirms the choice in separate trials, and restores the host.",
      "With --replay TABLE: replays a table of means and deviations, thousands of times, and"
          + " touches no host."
    })
public final class TuneCommand implements Callable<Integer> {
  @Parameters(arity = "0..1", paramLabel = "FILE", description = "The experiment file.")
  private Path file;

  @Option(
      names = "--calibrate",
      paramLabel = "DIR",
      description =
          "Measured run from which to derive the CPU time per request (default: the first trials"
              + " of this run, at the settings found).")
  private Path calibrate;

  @Option(
      names = "--continue",
      description =
          "Spend another budget on the newest run of this experiment in the results directory, if"
              + " it has no answer yet; without such a run, begin one. For timers.")
  private boolean goOn;

  @Mixin private TableReplay replay;
  @Mixin private NewRunOptions place;
  @Mixin private RunOptions run;
  @Mixin private PlanCodeOption code;
  @Mixin private BusyMachine busy;
  @Mixin private OutputOptions output;
  @Mixin private Verbosity verbosity;
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (replay.isAsked() == (file != null)) {
      throw SlicewiseException.input(
          "tune needs an experiment FILE or --replay TABLE, and not both",
          "Write 'slicewise tune FILE', or 'slicewise tune --replay TABLE'.");
    }
    if (replay.isAsked()) {
      return replay.run(output);
    }
    Experiment experiment = busy.judged(EmbeddedHost.read(file));
    Optional<RunDirectory> unanswered =
        goOn ? TunePreflight.unanswered(experiment, place.results()) : Optional.empty();
    RunConsole console =
        new RunConsole(
                spec.commandLine().getOut(),
                spec.commandLine().getErr(),
                output,
                verbosity,
                busy.patient(run.sweep()))
            .calibratedBy(Optional.ofNullable(calibrate).map(RunDirectory::open));
    if (unanswered.isPresent()) {
      Experiment begun = ExperimentFiles.read(unanswered.get().experimentFile());
      code.require(begun, spec.commandLine().getErr());
      return console.resume(unanswered.get(), busy.judged(begun));
    }
    code.require(experiment, spec.commandLine().getErr());
    TunePreflight.check(experiment, file);
    return console.begin(experiment, place.results());
  }

  /** The options of {@code slicewise tune --replay TABLE}, and what they ask for. */
  private static final class TableReplay {
    private static final String LOWEST = "lowest ";
    private static final String HIGHEST = "highest ";

    @Option(
        names = "--replay",
        paramLabel = "TABLE",
        description =
            "CSV table with the columns profile, users, metric, mean and stddev; others are ignored.")
    private Path table;

    @Option(
        names = "--goal",
        paramLabel = "GOAL",
        description =
            "'highest METRIC' or 'lowest METRIC' (default: highest throughput, or the table's only"
                + " metric).")
    private String goal;

    @Option(
        names = "--runs",
        paramLabel = "N",
        description = "Budget per load, in trials (default: 65%% of the full grid's).")
    private Integer runs;

    @Option(
        names = "--cv",
        paramLabel = "PERCENT",
        converter = Share.class,
        description =
            "Coefficient of variation of a trial, as in 25%%, for all profiles (default: each"
                + " profile's own, from the table).")
    private Double variation;

    @Option(
        names = "--noise",
        paramLabel = "normal|lognormal|session",
        defaultValue = "lognormal",
        description =
            "How trials scatter (default: ${DEFAULT-VALUE}). With session the tuner races in"
                + " switchback sessions and the other methods in restarted trials.")
    private Noise noise;

    @Option(
        names = "--particular",
        paramLabel = "PERCENT",
        converter = Share.class,
        defaultValue = "0%",
        description =
            "Share of what a restart draws anew that belongs to the profile, for --noise session"
                + " (default: ${DEFAULT-VALUE}).")
    private double particular;

    @Option(
        names = "--within",
        paramLabel = "PERCENT",
        converter = Share.class,
        defaultValue = "5%",
        description = "This close to the best is good enough (default: ${DEFAULT-VALUE}).")
    private double within;

    @Option(
        names = "--replications",
        paramLabel = "N",
        defaultValue = "2000",
        description = "Searches per load and method (default: ${DEFAULT-VALUE}).")
    private int replications;

    @Option(
        names = "--seed",
        paramLabel = "NUMBER",
        defaultValue = "1",
        description = "Seed of every draw (default: ${DEFAULT-VALUE}).")
    private long seed;

    /** Whether a table was given. */
    boolean isAsked() {
      return table != null;
    }

    /** Replays the table and prints the report. */
    int run(OutputOptions output) {
      refuseNonsense();
      ProfileMeans means = ProfileMeans.read(table, metric());
      List<Surface> surfaces = surfaces(means);
      Replay replay =
          new Replay(rules(), runs == null ? 0 : runs, noise, particular, replications, seed);
      refuseSmallBudget(replay, surfaces);
      ReplayReport report = replay.of(surfaces);
      output.print(report, () -> ReplayScreen.lines(means.metric(), replay, report));
      return ExitCode.OK.code();
    }

    private Rules rules() {
      Rules rules = Rules.DEFAULT.claiming(within, Rules.DEFAULT.confidence());
      return goal != null && goal.startsWith(LOWEST) ? rules.lowest() : rules;
    }

    private Optional<String> metric() {
      if (goal == null) {
        return Optional.empty();
      }
      String metric = goal.replaceFirst("^(" + LOWEST + "|" + HIGHEST + ")", "").strip();
      if (metric.length() == goal.strip().length()) {
        throw SlicewiseException.input(
            "--goal '" + goal + "' has no direction",
            "Write 'highest METRIC' or 'lowest METRIC', as in --goal \"lowest p95\".");
      }
      return Optional.of(metric);
    }

    private List<Surface> surfaces(ProfileMeans means) {
      return means.loads().entrySet().stream()
          .map(load -> surface(load.getKey(), load.getValue()))
          .toList();
    }

    private Surface surface(int users, List<ProfileMeans.Row> rows) {
      Surface surface =
          new Surface(
              users,
              rows.stream()
                  .map(row -> new Surface.Profile(row.profile(), row.mean(), row.deviation()))
                  .toList());
      if (variation != null) {
        return surface.scattered(variation);
      }
      rows.stream()
          .filter(row -> Double.isNaN(row.deviation()))
          .findFirst()
          .ifPresent(
              row -> {
                throw SlicewiseException.input(
                    "%s has no stddev for %s at %d users".formatted(table, row.profile(), users),
                    "State the scatter of a trial for all profiles, as in --cv 10%.");
              });
      return surface;
    }

    private void refuseNonsense() {
      refuseBelow("--replications", replications, 1);
      if (runs != null) {
        refuseBelow("--runs", runs, 1);
      }
      if (!(within > 0 && within < 1)) {
        throw SlicewiseException.input(
            "--within must be between 0% and 100%", "Write it as in --within 5%.");
      }
      if (particular > 1) {
        throw SlicewiseException.input(
            "--particular is above 100%", "It is a share, as in --particular 5%.");
      }
    }

    private static void refuseBelow(String option, int value, int least) {
      if (value < least) {
        throw SlicewiseException.input("%s %d is below %d".formatted(option, value, least), "");
      }
    }

    private void refuseSmallBudget(Replay replay, List<Surface> surfaces) {
      for (Surface surface : surfaces) {
        if (noise != Noise.SESSION && replay.budget(surface) < surface.size()) {
          throw SlicewiseException.input(
              "--runs %d is below the %d profiles at %d users"
                  .formatted(runs, surface.size(), surface.users()),
              "Each profile needs at least one run.");
        }
      }
    }

    /**
     * Reads a share that may exceed 1, as a coefficient of variation may: {@code 4.5%}, {@code
     * 0.045}, or {@code 4.5}; a number from 1 on without a sign is a percentage.
     */
    private static final class Share implements ITypeConverter<Double> {
      @Override
      public Double convert(String text) {
        String number = text.strip().replaceFirst("\\s*%$", "");
        if (!number.matches("\\d{1,3}(\\.\\d{1,9})?")) {
          throw new TypeConversionException("'" + text + "' is not a percentage such as 4.5%");
        }
        double value = Double.parseDouble(number);
        return text.strip().endsWith("%") || value >= 1 ? value / 100 : value;
      }
    }

    /** What a replay prints: a table with one row per load and method. */
    private static final class ReplayScreen {
      private static final List<String> HEADINGS =
          List.of(
              "users",
              "method",
              "runs",
              "good selection",
              "expected loss",
              "claims",
              "false claims");
      private static final List<Boolean> LEFT =
          List.of(false, true, false, false, false, false, false);

      private ReplayScreen() {}

      /** Returns the table and what its columns mean. */
      static List<String> lines(String metric, Replay replay, ReplayReport report) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(HEADINGS);
        for (ReplayReport.Load load : report.loads()) {
          load.methods().forEach(score -> rows.add(row(load.users(), score)));
        }
        List<String> lines = new ArrayList<>(TextColumns.lines(rows, LEFT, Terminal.tableWidth()));
        lines.add("");
        notes(metric, replay).lines().forEach(lines::add);
        return lines;
      }

      private static List<String> row(int users, ReplayReport.Score score) {
        return List.of(
            String.valueOf(users),
            score.name(),
            Phrase.of("%.1f", score.runs()),
            percent(score.goodSelection()),
            percent(score.expectedLoss()),
            percent(score.claims()),
            percent(score.falseClaims()));
      }

      private static String percent(double share) {
        return Phrase.of("%.1f %%", 100 * share);
      }

      private static String notes(String metric, Replay replay) {
        String within = PercentText.of(replay.rules().within());
        return """
    %s %s, %s noise, %d replications, seed %d.
    Good selection: the chosen profile is within %s of the best. Loss: distance of the choice to the best.
    Claims: searches that ended with "within %s of the best, %s"; false claims: share of all searches.%s\
    """
            .formatted(
                replay.rules().lowerIsBetter() ? "Lowest" : "Highest",
                metric,
                EnumName.of(replay.noise()),
                replay.replications(),
                replay.seed(),
                within,
                within,
                PercentText.of(replay.rules().confidence()),
                replay.noise() == Noise.SESSION ? sessions(replay) : "");
      }

      private static String sessions(Replay replay) {
        return "\nA run is 30 minutes. slicewise switches inside sessions of an hour; "
            + "%s of what a start draws belongs to the profile."
                .formatted(PercentText.of(replay.particular()));
      }
    }
  }
}
