package io.slicewise.cli;

import io.slicewise.sweep.RunDirectory;
import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Names a run directory, or takes the newest one. */
final class RunChoice {
  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "The run directory (default: the newest one below --results).")
  private Path directory;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = "results",
      description = "Where run directories are (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** The run; what of it is damaged is reported on standard error first. */
  RunDirectory run() {
    RunDirectory run = chosen();
    Damages.report(command.commandLine().getErr(), run);
    return run;
  }

  private RunDirectory chosen() {
    return Optional.ofNullable(directory)
        .map(RunDirectory::open)
        .or(() -> RunDirectory.newest(results))
        .orElseThrow(
            () ->
                new SlicewiseException(
                    ExitCode.USAGE,
                    "there is no run below " + results,
                    "name a run directory, or start a run with: slicewise run FILE"));
  }

  Path results() {
    return results;
  }
}
