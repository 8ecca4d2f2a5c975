package io.slicewise.cli.options;

import picocli.CommandLine.Option;

/** Which changes matter, and the form in which they are told. */
public final class ChangeOptions {
  @Option(
      names = "--band",
      paramLabel = "PERCENT",
      converter = Percent.class,
      defaultValue = "2%",
      description = "A change inside it would alter nobody's decision (default: ${DEFAULT-VALUE}).")
  private double band;

  @Option(
      names = "--format",
      paramLabel = "text|json|csv|markdown",
      defaultValue = "text",
      description = "Form of the output (default: ${DEFAULT-VALUE}).")
  private TableFormat format;

  public double band() {
    return band;
  }

  public TableFormat format() {
    return format;
  }
}
