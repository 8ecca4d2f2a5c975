package io.slicewise.cli.commands;

import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.cli.screens.TuneScreen;
import io.slicewise.report.Advice;
import io.slicewise.report.TuneReport;
import io.slicewise.run.RunDirectory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code slicewise recommend [DIR]}: recommends a profile, with evidence and costs. */
@Command(
    name = "recommend",
    mixinStandardHelpOptions = true,
    description =
        "Recommends a profile from a run, with the evidence, its costs and the commands to apply"
            + " and undo it; from a tune, its answer. Reads only the run directory and changes"
            + " nothing.")
public final class RecommendCommand implements Callable<Integer> {
  private static final int LABEL = 11;

  @Mixin private RunChoice choice;
  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    RunDirectory run = choice.run();
    Optional<TuneReport> tune = TuneReport.of(run);
    if (tune.isPresent()) {
      return answer(tune.get(), run);
    }
    Advice advice = Advice.of(run);
    output.print(advice, () -> lines(advice));
    return advice.profile().isPresent() ? ExitCode.OK.code() : ExitCode.UNDECIDED.code();
  }

  private static List<String> lines(Advice advice) {
    LabelledLines lines = new LabelledLines(Terminal.width(), LABEL);
    advice.lines().forEach(line -> lines.add(line.label(), line.text()));
    return Stream.concat(Stream.of(advice.headline()), lines.all().stream()).toList();
  }

  /** Prints the answer of a tune, which has a goal of its own and was confirmed or not. */
  private int answer(TuneReport tune, RunDirectory run) {
    output.print(
        tune, () -> TuneScreen.lines(tune, run).stream().dropWhile(String::isEmpty).toList());
    return ExitCode.of(tune.verdict()).code();
  }
}
