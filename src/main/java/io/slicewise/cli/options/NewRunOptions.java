package io.slicewise.cli.options;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Where a run is made that no host takes part in. */
public final class NewRunOptions {
  @Option(
      names = {"--results", "--out"},
      paramLabel = "DIR",
      defaultValue = "results",
      description = "Where the run directory is made (default: ${DEFAULT-VALUE}).")
  private Path results;

  public Path results() {
    return results;
  }
}
