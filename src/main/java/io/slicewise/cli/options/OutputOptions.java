package io.slicewise.cli.options;

import io.slicewise.base.json.Json;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

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

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** Prints an answer on standard output: as JSON or as lines. */
  public void print(Object answer, Supplier<List<String>> lines) {
    PrintWriter out = command.commandLine().getOut();
    if (json()) {
      out.println(Json.text(answer));
    } else {
      lines.get().forEach(out::println);
    }
  }

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
