package io.slicewise.cli.options;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.Damages;
import io.slicewise.run.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Names a run directory, or takes the newest one. */
public final class RunChoice {
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
  public RunDirectory run() {
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

  public Path results() {
    return results;
  }
}
