package io.slicewise.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
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

  /** Appends what is printed; returns the exit code. */
  public static int run(StringWriter out, StringWriter err, String... arguments) {
    CommandLine commandLine = Slicewise.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    return commandLine.execute(arguments);
  }
}
