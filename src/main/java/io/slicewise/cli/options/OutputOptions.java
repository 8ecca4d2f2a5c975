package io.slicewise.cli.options;

import picocli.CommandLine.Option;

/** How much a command prints and in which form. */
public final class OutputOptions {
  /** The form of what a command prints on standard output. */
  enum Format {
    TEXT,
    JSON
  }

  @Option(
      names = "--format",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "Form of the output on standard output (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = {"-q", "--quiet"},
      description = "No progress on standard error, only the result and faults.")
  private boolean quiet;

  @Option(
      names = "--plain",
      description = "Progress as plain lines, one an event, on a terminal too.")
  private boolean plain;

  public boolean json() {
    return format == Format.JSON;
  }

  public boolean quiet() {
    return quiet;
  }

  public boolean plain() {
    return plain;
  }
}
