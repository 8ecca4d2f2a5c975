package io.slicewise.cli.screens;

import io.slicewise.base.units.HintedException;
import io.slicewise.report.table.Wrap;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/**
 * Prints errors on standard error and returns their exit codes. Prints a stack trace only for
 * internal errors.
 */
public final class ErrorPrinter implements IExecutionExceptionHandler {
  private static final String LABEL = "slicewise: ";

  @Override
  public int handleExecutionException(Exception fault, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    return print(err, fault)
        .orElseGet(
            () -> {
              err.println("slicewise: internal error; please report it with the lines below");
              fault.printStackTrace(err);
              return ExitCode.INTERNAL;
            })
        .code();
  }

  /** Prints an expected error and returns its exit code; returns empty for an unexpected one. */
  public static Optional<ExitCode> print(PrintWriter err, Exception fault) {
    if (fault instanceof HintedException known) {
      return Optional.of(print(err, known));
    }
    return Optional.empty();
  }

  /** Prints an expected error and returns its exit code. */
  public static ExitCode print(PrintWriter err, HintedException fault) {
    lines(fault.getMessage(), fault.hint(), Terminal.errWidth()).forEach(err::println);
    return ExitCode.of(fault.errorKind());
  }

  /** Keeps the message's line breaks and wraps lines that are too wide. */
  static List<String> lines(String message, String hint, int width) {
    return Stream.of(LABEL + message, hint.isEmpty() ? "" : "  " + hint)
        .flatMap(String::lines)
        .flatMap(line -> Wrap.lines(line, "", "    ", width).stream())
        .toList();
  }
}
