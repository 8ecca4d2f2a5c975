package io.slicewise.cli.commands;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LabelledLines;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.cli.screens.TuneScreen;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.report.Advice;
import io.slicewise.report.TuneReport;
import io.slicewise.run.LoadedRun;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
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
    LoadedRun run = choice.run();
    RunEvidence evidence = RunEvidence.of(run);
    Answer answer = Answers.of(evidence);
    Optional<TuneReport> tune = TuneReport.of(evidence, answer);
    Advice advice = Advice.of(evidence, answer);
    output.print(
        tune.isPresent() ? new Tuned(answer, tune.get()) : advice,
        () -> tune.isPresent() ? TuneScreen.lines(tune.get(), advice, run) : lines(advice));
    return ExitCode.of(answer, tune.isPresent()).code();
  }

  /** The JSON of a tune: its answer, and how it came about. */
  record Tuned(Answer answer, @JsonUnwrapped TuneReport tune) {}

  private static List<String> lines(Advice advice) {
    LabelledLines lines = new LabelledLines(Terminal.width(), LABEL);
    lines.add("ANSWER", advice.headline());
    advice.lines().forEach(line -> lines.add(line.label(), line.text()));
    return lines.all();
  }
}
