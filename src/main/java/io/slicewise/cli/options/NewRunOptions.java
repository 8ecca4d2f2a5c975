package io.slicewise.cli.options;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where to create a run that needs no host. */
public final class NewRunOptions {
  @Option(
      names = {"--results", "--out"},
      paramLabel = "DIR",
      defaultValue = RunChoice.RESULTS,
      description = "Where to create the run directory (default: ${DEFAULT-VALUE}).")
  private Path results;

  public Path results() {
    return results;
  }
}
