package io.slicewise.cli.commands;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.options.StudyOptions;
import io.slicewise.cli.screens.Damages;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.report.StudyPage;
import io.slicewise.report.StudyReport;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise study}: asks a question of runs or of published tables. */
@Command(
    name = "study",
    mixinStandardHelpOptions = true,
    description = {
      "Answers a study's question from runs, or from published tables of the same form.",
      "Changes nothing."
    },
    synopsisSubcommandLabel = "STUDY",
    subcommands = {OverheadCommand.class, InterferenceCommand.class, ProfilesCommand.class})
public final class StudyCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing study: overhead, interference or profiles");
  }

  /**
   * Prints a study in the requested format, and writes its page as asked.
   *
   * @param runs behind it; empty of published tables
   */
  static int print(
      CommandSpec spec,
      StudyOptions options,
      PageOptions page,
      List<LoadedRun> runs,
      Object study,
      StudyReport whole) {
    page.write(
        () ->
            StudyPage.html(
                whole,
                runs.stream().map(RunEvidence::of).map(RunEvidence::measured).toList(),
                options.tables()));
    PrintWriter out = spec.commandLine().getOut();
    if (options.figure().isPresent()) {
      out.print(whole.svg(options.figure().get()));
      return ExitCode.OK.code();
    }
    StudyReport report = whole.only(options.table());
    switch (options.format()) {
      case TEXT -> report.text(Terminal.tableWidth()).forEach(out::println);
      case JSON -> out.println(Json.text(study));
      case CSV -> out.print(report.csv());
      case MARKDOWN -> out.print(report.markdown());
      case LATEX -> out.print(report.latex());
    }
    return ExitCode.OK.code();
  }

  /** Loads runs and reports their damage. */
  static List<LoadedRun> loaded(CommandSpec spec, List<Path> runs) {
    PrintWriter err = spec.commandLine().getErr();
    return runs.stream().map(RunDirectory::open).map(run -> Damages.loaded(err, run)).toList();
  }

  /** Refuses published tables, and no run. */
  static void refuseTables(List<Path> runs, StudyOptions options) {
    if (runs.isEmpty() || !options.tables().isEmpty()) {
      throw SlicewiseException.input(
          "this study needs run directories", "name the runs of your workloads");
    }
  }

  /** Refuses both runs and tables, and neither. */
  static void refuseBoth(List<Path> runs, StudyOptions options) {
    if (runs.isEmpty() == options.tables().isEmpty()) {
      throw SlicewiseException.input(
          runs.isEmpty()
              ? "a study needs run directories or published tables"
              : "runs and published tables cannot be combined",
          "name run directories, or use --tables DIR");
    }
  }
}
