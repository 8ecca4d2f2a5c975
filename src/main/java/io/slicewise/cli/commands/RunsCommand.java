package io.slicewise.cli.commands;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.compare.Night.NightRecord;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.RunChoice;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.evidence.analysis.MeasuredRun;
import io.slicewise.evidence.answer.Answers;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.report.table.TextColumns;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.RunState;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.apache.commons.io.FileUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code slicewise runs}: lists runs with state, verdict and size. */
@Command(
    name = "runs",
    mixinStandardHelpOptions = true,
    description = "Lists the runs in a directory with state, verdict and size. Changes nothing.")
public final class RunsCommand implements Callable<Integer> {
  private static final double MEGABYTE = 1e6;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Directory that contains the run directories (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "A run directory, or a directory with runs (default: that of --results).")
  private Optional<Path> directory = Optional.empty();

  @Mixin private OutputOptions output;

  /**
   * A run in the list.
   *
   * @param verdict of a night, or the answer of the run
   */
  record Row(String run, String state, String verdict, long bytes, int finished, int trials) {}

  @Override
  public Integer call() {
    Path place = directory.orElse(results);
    List<Path> roots = RunDirectory.isOne(place) ? List.of(place) : RunDirectory.below(place);
    List<Row> rows = roots.stream().map(RunsCommand::row).toList();
    output.print(rows, () -> lines(place, rows));
    return ExitCode.OK.code();
  }

  private static Row row(Path root) {
    String name = root.toAbsolutePath().normalize().getFileName().toString();
    long bytes = FileUtils.sizeOfDirectory(root.toFile());
    try {
      LoadedRun run = RunDirectory.open(root).load();
      return new Row(
          name,
          state(run),
          verdict(run),
          bytes,
          run.record().finished().size(),
          MeasuredRun.planned(run));
    } catch (SlicewiseException unreadable) {
      return new Row(name, "cannot be read: " + unreadable.getMessage(), "-", bytes, 0, 0);
    }
  }

  private static String state(LoadedRun run) {
    RunState state = run.record().state();
    String text =
        (state == RunState.RUNNING && !run.directory().isWorkedOn() ? "killed" : state.text())
            + (run.directory().isCopy() ? ", a copy" : "");
    return run.damages().isEmpty() ? text : text + ", damaged";
  }

  private static String verdict(LoadedRun run) {
    return NightRecord.of(run.root())
        .map(night -> "%s (exit code %d)".formatted(night.verdict(), night.exitCode()))
        .orElseGet(() -> answer(run));
  }

  private static String answer(LoadedRun run) {
    return run.results().isEmpty() ? "-" : Answers.of(RunEvidence.of(run)).brief();
  }

  private static List<String> lines(Path place, List<Row> rows) {
    if (rows.isEmpty()) {
      return List.of("there is no run in " + place);
    }
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of("run", "state", "trials", "size", "verdict"));
    for (Row row : rows) {
      lines.add(
          List.of(
              row.run(),
              row.state(),
              row.finished() + " of " + row.trials(),
              Phrase.of("%.1f MB", row.bytes() / MEGABYTE),
              row.verdict()));
    }
    return TextColumns.lines(lines, List.of(true, true, false, false, true), Terminal.tableWidth());
  }
}
