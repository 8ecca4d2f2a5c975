package io.slicewise.cli.commands;

import io.slicewise.base.json.Json;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.cli.screens.TuneScreen;
import io.slicewise.report.Advice;
import io.slicewise.report.TuneReport;
import io.slicewise.run.RunDirectory;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

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
  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    RunDirectory run = choice.run();
    PrintWriter out = spec.commandLine().getOut();
    Optional<TuneReport> tune = TuneReport.of(run);
    if (tune.isPresent()) {
      return answer(tune.get(), run, out);
    }
    Advice advice = Advice.of(run);
    if (output.json()) {
      out.println(Json.text(advice));
    } else {
      out.println(advice.headline());
      LabelledLines lines = new LabelledLines(Terminal.width(), LABEL);
      advice.lines().forEach(line -> lines.add(line.label(), line.text()));
      lines.all().forEach(out::println);
    }
    out.flush();
    return advice.profile().isPresent() ? ExitCode.OK.code() : ExitCode.UNDECIDED.code();
  }

  /** Prints the answer of a tune, which has a goal of its own and was confirmed or not. */
  private int answer(TuneReport tune, RunDirectory run, PrintWriter out) {
    if (output.json()) {
      out.println(Json.text(tune));
    } else {
      TuneScreen.lines(tune, run.root()).stream().dropWhile(String::isEmpty).forEach(out::println);
    }
    out.flush();
    return ExitCode.of(tune.verdict()).code();
  }
}
