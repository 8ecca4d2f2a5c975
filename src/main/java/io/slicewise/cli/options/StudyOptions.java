package io.slicewise.cli.options;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The input and output of a study. */
public final class StudyOptions {
  /** The output formats of a study. */
  public enum Form {
    TEXT,
    JSON,
    CSV,
    MARKDOWN,
    LATEX
  }

  @Option(
      names = "--tables",
      paramLabel = "DIR|FILE",
      description =
          "Read published tables instead of runs: CSV with the columns metric, unit, value, and"
              + " system or layer (docs/check.md); may be repeated.")
  private List<Path> tables = List.of();

  @Option(
      names = "--format",
      paramLabel = "text|json|csv|markdown|latex",
      defaultValue = "text",
      description = "Output format (default: ${DEFAULT-VALUE}).")
  private Form format;

  @Option(
      names = "--table",
      paramLabel = "NAME",
      description =
          "Print only this table; CSV then has its own columns, otherwise one line per value.")
  private Optional<String> table = Optional.empty();

  @Option(
      names = "--figure",
      paramLabel = "NAME",
      description =
          "Print only this figure, as SVG (overhead: time, faults, disk; interference: drop, loss,"
              + " regression; consolidation: guests; with several arms, time-2 and so on).")
  private Optional<String> figure = Optional.empty();

  public List<Path> tables() {
    return tables;
  }

  public Form format() {
    return format;
  }

  public Optional<String> figure() {
    return figure;
  }

  public Optional<String> table() {
    return table;
  }
}
