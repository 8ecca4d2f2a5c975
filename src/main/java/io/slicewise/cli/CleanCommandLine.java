package io.slicewise.cli;

import io.slicewise.cli.screens.TerminalWriter;
import java.io.PrintWriter;
import picocli.CommandLine;

/** A command line whose commands print through a {@link TerminalWriter}, which colours. */
final class CleanCommandLine extends CommandLine {
  CleanCommandLine(Object command) {
    super(command);
    setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    // Asked for once, the writers are those of all subcommands too.
    setOut(getOut());
    setErr(getErr());
  }

  /**
   * Runs a command. An unknown one is a mistake even if {@code --help} follows it, where picocli
   * would print the help of the root. Everything printed is out when it returns.
   */
  @Override
  public int execute(String... arguments) {
    boolean unknown =
        arguments.length > 1
            && !getSubcommands().isEmpty()
            && !arguments[0].startsWith("-")
            && !arguments[0].startsWith("@")
            && !getSubcommands().containsKey(arguments[0]);
    try {
      return unknown ? super.execute(arguments[0]) : super.execute(arguments);
    } finally {
      getOut().flush();
      getErr().flush();
    }
  }

  @Override
  public CommandLine setOut(PrintWriter out) {
    return super.setOut(TerminalWriter.standardOut(out));
  }

  @Override
  public CommandLine setErr(PrintWriter err) {
    return super.setErr(TerminalWriter.standardError(err));
  }
}
