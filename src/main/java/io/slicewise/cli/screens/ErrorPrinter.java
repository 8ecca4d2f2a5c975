package io.slicewise.cli.screens;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.host.HypervisorException;
import io.slicewise.report.Wrap;
import io.slicewise.ssh.RemoteShellException;
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
  @Override
  public int handleExecutionException(Exception fault, CommandLine command, ParseResult parsed) {
    PrintWriter err = command.getErr();
    return print(err, fault)
        .orElseGet(
            () -> {
              err.println("slicewise: internal error; please report it with the lines below");
              fault.printStackTrace(err);
              err.flush();
              return ExitCode.INTERNAL;
            })
        .code();
  }

  /** Prints an expected error and returns its exit code; returns empty for an unexpected one. */
  public static Optional<ExitCode> print(PrintWriter err, Exception fault) {
    if (fault instanceof SlicewiseException known) {
      return Optional.of(print(err, known.getMessage(), known.hint(), known.exitCode()));
    }
    if (fault instanceof RemoteShellException lost) {
      return Optional.of(print(err, lost.getMessage(), lost.hint(), ExitCode.HOST_LOST));
    }
    if (fault instanceof HypervisorException refused) {
      return Optional.of(print(err, refused.getMessage(), refused.hint(), ExitCode.PREFLIGHT));
    }
    return Optional.empty();
  }

  private static ExitCode print(PrintWriter err, String message, String hint, ExitCode code) {
    int width = Terminal.isInteractive() ? Terminal.width() : Integer.MAX_VALUE;
    lines(message, hint, width).forEach(err::println);
    err.flush();
    return code;
  }

  /** Keeps the message's line breaks and wraps lines that are too wide. */
  static List<String> lines(String message, String hint, int width) {
    return Stream.of("slicewise: " + message, hint.isEmpty() ? "" : "  " + hint)
        .flatMap(String::lines)
        .flatMap(line -> Wrap.lines(line, "", "    ", width).stream())
        .toList();
  }
}
