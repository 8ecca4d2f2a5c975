package io.slicewise.cli;

import io.slicewise.cli.screens.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The real command line, run inside the test. */
public final class CommandLines {
  private CommandLines() {}

  public record Said(int exit, String out, String err) {}

  public static Said run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit = run(out, err, arguments);
    return new Said(exit, out.toString(), err.toString());
  }

  /**
   * Returns the exit codes of a run that measured all it had to: on a busy machine its trials may
   * not be valid, or be in doubt.
   */
  public static List<Integer> measured(ExitCode... others) {
    return Stream.concat(
            Stream.of(ExitCode.OK, ExitCode.NO_VALID_DATA, ExitCode.TOO_BUSY), Stream.of(others))
        .map(ExitCode::code)
        .toList();
  }

  /** Appends what is printed; returns the exit code. */
  public static int run(StringWriter out, StringWriter err, String... arguments) {
    CommandLine commandLine = Slicewise.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }
}
