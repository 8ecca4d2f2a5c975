package io.slicewise.cli;

import io.slicewise.cli.screens.TerminalWriter;
import java.io.PrintWriter;
import picocli.CommandLine;

/** A command line whose commands print through a {@link TerminalWriter}, without colour. */
final class CleanCommandLine extends CommandLine {
  CleanCommandLine(Object command) {
    super(command);
    setColorScheme(Help.defaultColorScheme(Help.Ansi.OFF));
    // Asked for once, the writers are those of all subcommands too.
    setOut(getOut());
    setErr(getErr());
  }

  @Override
  public CommandLine setOut(PrintWriter out) {
    return super.setOut(TerminalWriter.of(out));
  }

  @Override
  public CommandLine setErr(PrintWriter err) {
    return super.setErr(TerminalWriter.of(err));
  }
}
