package io.slicewise.cli.options;

import picocli.CommandLine.Option;

/** The amount and format of a command's output. */
public final class OutputOptions {
  /** The formats of standard output. */
  enum Format {
    TEXT,
    JSON
  }

  @Option(
      names = "--format",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "Output format (default: ${DEFAULT-VALUE}).")
  private Format format;

  @Option(
      names = {"-q", "--quiet"},
      description = "Print no progress, only results and errors.")
  private boolean quiet;

  @Option(
      names = "--plain",
      description = "Print progress as plain lines, one per event, also on a terminal.")
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
