package io.slicewise.cli.compare;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.ChangeOptions;
import io.slicewise.cli.options.ComparedOptions;
import io.slicewise.cli.options.LoadFilter;
import io.slicewise.cli.options.PageOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.analysis.ErrorGuard;
import io.slicewise.evidence.analysis.Guard;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.analysis.Metric;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.evidence.runs.Compared;
import io.slicewise.evidence.runs.Guards;
import io.slicewise.report.ComparisonPage;
import io.slicewise.report.ComparisonReport;
import io.slicewise.report.JunitXml;
import io.slicewise.report.RunAnswer;
import io.slicewise.run.RunDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code slicewise compare}: compares profiles of a run, two runs, or a run with a baseline. */
@Command(
    name = "compare",
    mixinStandardHelpOptions = true,
    description = {
      "Compares the profiles of a run, two runs, or a run with a named baseline, and reports"
          + " whether each change is better, worse, the same or unclear.",
      "With one DIR or none (the newest run), compares its profiles with --to. With two, compares"
          + " each profile of the second run with the same profile of the first. Writes only the"
          + " files you ask for: --page writes the comparison as a page."
    })
public final class CompareCommand implements Callable<Integer> {
  /** The results that make the command exit with an error code. */
  enum FailOn {
    WORSE,
    UNDECIDED
  }

  @Parameters(paramLabel = "DIR", arity = "0..2", description = "One run directory, or two.")
  private List<Path> directories = List.of();

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Directory to search for the newest run (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Option(
      names = "--to",
      paramLabel = "PROFILE",
      defaultValue = "baseline",
      description =
          "Within a run, compare with this profile: a name, as-found, or baseline for the"
              + " experiment's baseline (default).")
  private String to;

  @Option(
      names = "--baseline",
      paramLabel = "NAME",
      description = "Compare the run with this stored baseline.")
  private Optional<String> baseline = Optional.empty();

  @Option(
      names = "--save-baseline",
      paramLabel = "NAME",
      description = "Store the run as a baseline, replacing one of the same name.")
  private Optional<String> save = Optional.empty();

  @Mixin private ComparedOptions compared;
  @Mixin private LoadFilter loads;

  @Mixin private ChangeOptions change;

  @Option(
      names = "--guard",
      paramLabel = "METRIC=PERCENT",
      converter = GuardText.class,
      description =
          "Largest acceptable loss in a metric, as in throughput=5%%, or largest share of failed"
              + " requests, as in errors=0.5%%; may be repeated (default: the experiment's"
              + " guards).")
  private List<Guards> guards = List.of();

  @Option(
      names = "--fail-on",
      paramLabel = "worse|undecided",
      description =
          "Exit with 10 if any selected profile is worse or a guard is broken, and with 12 if an"
              + " A/A control failed; 'undecided' also exits with 11 if a result is unclear.")
  private Optional<FailOn> failOn = Optional.empty();

  @Option(
      names = "--accept-differences",
      description = "Compare the runs even if they were measured under different conditions.")
  private boolean accept;

  @Option(names = "--junit", paramLabel = "FILE", description = "Also write a JUnit XML file.")
  private Optional<Path> junit = Optional.empty();

  @Mixin private PageOptions page;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    ComparisonQuestion question =
        new ComparisonQuestion(
            compared.profiles(),
            loads,
            compared.metric(),
            change.band(),
            guards.stream().reduce(Guards.NONE, Guards::and),
            accept);
    PrintWriter err = spec.commandLine().getErr();
    RunEvidence run = RunEvidence.of(Damages.loaded(err, run()));
    Baselines stored = new Baselines(compared.baselines(), Clock.systemUTC());
    if (save.isPresent() && !asksForMore()) {
      err.println(stored.save(save.get(), run));
      return ExitCode.OK.code();
    }
    Optional<RunEvidence> before =
        directories.size() == 2 && baseline.isEmpty()
            ? Optional.of(
                RunEvidence.of(Damages.loaded(err, RunDirectory.open(directories.get(0)))))
            : Optional.empty();
    Compared compared = compared(question, before, run, stored);
    RunAnswer answer = RunAnswer.of(run);
    ExitCode code = code(compared, answer.answer(), failOn);
    print(compared, answer, code);
    junit.ifPresent(file -> write(file, compared, answer));
    page.write(() -> ComparisonPage.html(compared, answer, runs(before, run, stored)));
    save.ifPresent(name -> err.println(stored.save(name, run)));
    return code.code();
  }

  /** Returns whether a comparison was requested besides storing the run. */
  private boolean asksForMore() {
    return directories.size() == 2 || baseline.isPresent() || failOn.isPresent();
  }

  private RunDirectory run() {
    if (!directories.isEmpty()) {
      return RunDirectory.open(directories.get(directories.size() - 1));
    }
    return RunDirectory.newest(results)
        .orElseThrow(
            () ->
                SlicewiseException.input("there is no run in " + results, "name a run directory"));
  }

  private Compared compared(
      ComparisonQuestion question,
      Optional<RunEvidence> before,
      RunEvidence run,
      Baselines stored) {
    if (baseline.isPresent()) {
      if (directories.size() == 2) {
        throw SlicewiseException.input(
            "two runs and a baseline cannot be compared at once", "leave one out");
      }
      Baselines.Baseline base = stored.read(baseline.get());
      return question.across(base.run(), "baseline " + baseline.get(), run);
    }
    if (before.isEmpty()) {
      if (run.experiment().profiles().size() < 2) {
        throw SlicewiseException.input(
            run.run().root() + " has one profile, so nothing can be compared within it",
            "name two runs, or use --baseline NAME");
      }
      return question.within(run, to);
    }
    return question.across(before.get(), run);
  }

  /** Returns the runs that were compared, the newest one last. */
  private List<MeasuredRun> runs(Optional<RunEvidence> before, RunEvidence run, Baselines stored) {
    Stream<MeasuredRun> earlier =
        baseline.isPresent()
            ? Stream.of(stored.read(baseline.get()).run())
            : before.map(RunEvidence::measured).stream();
    return Stream.concat(earlier, Stream.of(run.measured())).toList();
  }

  /**
   * Returns the exit code of a comparison.
   *
   * @param answer of the run with the changes
   */
  static ExitCode code(Compared compared, Answer answer, Optional<FailOn> failOn) {
    boolean busy = answer.grade() == Answer.Grade.TOO_BUSY;
    boolean strict = failOn.equals(Optional.of(FailOn.UNDECIDED));
    return switch (compared.overall()) {
      case NO_DATA -> ExitCode.NO_VALID_DATA;
      case CONTROL_FAILED -> failOn.isPresent() ? ExitCode.CONTROL_FAILED : ExitCode.OK;
      case WORSE -> failOn.isEmpty() ? ExitCode.OK : busy ? ExitCode.TOO_BUSY : ExitCode.WORSE;
      case UNDECIDED -> !strict ? ExitCode.OK : busy ? ExitCode.TOO_BUSY : ExitCode.UNDECIDED;
      case FINE -> strict && busy ? ExitCode.TOO_BUSY : ExitCode.OK;
    };
  }

  /** The JSON output: the run's answer, what the comparison says, and the comparison itself. */
  record Told(Answer answer, Compared.Overall overall, int exitCode, Compared comparison) {}

  private void print(Compared compared, RunAnswer answer, ExitCode code) {
    PrintWriter out = spec.commandLine().getOut();
    ComparisonReport report = new ComparisonReport(compared, answer);
    switch (change.format()) {
      case TEXT -> report.text(Terminal.tableWidth()).forEach(out::println);
      case JSON ->
          out.println(
              Json.text(new Told(answer.answer(), compared.overall(), code.code(), compared)));
      case CSV -> out.print(report.csv());
      case MARKDOWN -> out.print(report.markdown());
    }
  }

  private void write(Path file, Compared compared, RunAnswer answer) {
    try {
      Files.writeString(
          file, JunitXml.of(compared, answer, failOn.equals(Optional.of(FailOn.UNDECIDED))));
    } catch (IOException e) {
      throw SlicewiseException.input(
          file + " cannot be written: " + FileFault.reason(e), "name another file with --junit", e);
    }
  }

  /** {@code throughput=5%}, {@code errors=0.5%}. */
  static final class GuardText implements ITypeConverter<Guards> {
    @Override
    public Guards convert(String text) {
      int equals = text.indexOf('=');
      try {
        if (equals > 0) {
          Metric metric = Metric.of(text.substring(0, equals));
          double share = PercentText.parse(text.substring(equals + 1));
          return metric.equals(Metric.ERRORS)
              ? new Guards(List.of(), Optional.of(new ErrorGuard(share)))
              : new Guards(List.of(new Guard(metric, share)), Optional.empty());
        }
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("'" + text + "' " + e.getMessage());
      }
      throw new TypeConversionException("'" + text + "' is not METRIC=PERCENT");
    }
  }
}
