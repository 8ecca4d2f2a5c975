package io.slicewise.lab.shell;

import java.util.List;
import java.util.Optional;

/**
 * One simple command as a POSIX shell would understand it.
 *
 * @param words the program and its arguments, quotes removed; empty for a line of blanks
 * @param output where standard output goes; empty for the caller
 * @param errors where standard error goes; empty for the caller
 * @param merged whether standard error follows standard output ({@code 2>&1})
 */
public record ShellLine(
    List<String> words,
    Optional<Redirection> output,
    Optional<Redirection> errors,
    boolean merged) {

  /** A file that takes what a command prints. */
  public record Redirection(String file, boolean append) {}

  public ShellLine {
    words = List.copyOf(words);
  }

  /**
   * Splits a line by the quoting rules of POSIX (backslash, single and double quotes).
   *
   * @throws ShellSyntaxException for pipes, lists, substitutions, globs and whatever else needs a
   *     real shell
   */
  public static ShellLine parse(String line) throws ShellSyntaxException {
    return new ShellSplitter(line).split();
  }
}
