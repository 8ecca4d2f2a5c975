package io.slicewise.cli.options;

import picocli.CommandLine.Option;

/** The smallest change that matters, and the output format. */
public final class ChangeOptions {
  @Option(
      names = "--band",
      paramLabel = "PERCENT",
      converter = Percent.class,
      defaultValue = "2%",
      description = "Changes within this band are too small to matter (default: ${DEFAULT-VALUE}).")
  private double band;

  @Option(
      names = "--format",
      paramLabel = "text|json|csv|markdown",
      defaultValue = "text",
      description = "Output format (default: ${DEFAULT-VALUE}).")
  private TableFormat format;

  public double band() {
    return band;
  }

  public TableFormat format() {
    return format;
  }

  /** The output formats of a table. */
  public enum TableFormat {
    TEXT,
    JSON,
    CSV,
    MARKDOWN
  }
}
