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
    CommandLine commandLine = Slicewise.commandLine();
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    int exit = commandLine.execute(arguments);
    return new Said(exit, out.toString(), err.toString());
  }
}
