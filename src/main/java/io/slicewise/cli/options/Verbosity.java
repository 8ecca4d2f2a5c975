package io.slicewise.cli.options;

import picocli.CommandLine.Option;

/** How much a command prints when its run ends. */
public final class Verbosity {
  @Option(
      names = "--verbose",
      description = "Print all tables and notes at the end, as 'slicewise report' does.")
  private boolean verbose;

  public boolean verbose() {
    return verbose;
  }
}
