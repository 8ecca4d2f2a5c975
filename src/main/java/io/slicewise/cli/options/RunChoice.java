package io.slicewise.cli.options;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.Damages;
import io.slicewise.run.LoadedRun;
import io.slicewise.run.RunDirectory;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Selects a run directory; the newest by default. */
public final class RunChoice {
  /** The directory of runs: the launcher's, which an installation keeps with the user's state. */
  public static final String RESULTS = "${sys:slicewise.results:-results}";

  @Parameters(
      paramLabel = "DIR",
      arity = "0..1",
      description = "The run directory (default: the newest one in --results).")
  private Path directory;

  @Option(
      names = "--results",
      paramLabel = "DIR",
      defaultValue = RESULTS,
      description = "Directory that contains the run directories (default: ${DEFAULT-VALUE}).")
  private Path results;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Loads the run and reports any damage on standard error. */
  public LoadedRun run() {
    return Damages.loaded(command.commandLine().getErr(), chosen());
  }

  private RunDirectory chosen() {
    return Optional.ofNullable(directory)
        .map(RunDirectory::open)
        .or(() -> RunDirectory.newest(results))
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "there is no run in " + results,
                    "name a run directory, or start a run with: slicewise run FILE"));
  }

  public Path results() {
    return results;
  }
}
