package io.slicewise.cli;

import picocli.CommandLine.Option;

/** How much a command prints and in which form. */
final class OutputOptions {
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

  boolean json() {
    return format == Format.JSON;
  }

  boolean quiet() {
    return quiet;
  }

  boolean plain() {
    return plain;
  }
}
