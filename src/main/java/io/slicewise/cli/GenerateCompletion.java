package io.slicewise.cli;

import io.slicewise.cli.screens.ExitCode;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code slicewise generate-completion}: prints the completion script. */
@Command(
    name = "generate-completion",
    mixinStandardHelpOptions = true,
    description = {
      "Prints a completion script for bash and zsh. To complete commands in this shell:",
      "source <(slicewise generate-completion)"
    })
final class GenerateCompletion implements Callable<Integer> {
  /** The values of an enum, which picocli writes as Java does. */
  private static final Pattern VALUES =
      Pattern.compile("(?m)^ *local \\w+_option_args=\\((?:\"[A-Z0-9_]+\" ?)+\\)");

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(script(spec.root().commandLine()));
    return ExitCode.OK.code();
  }

  /** Returns the script, with values in lower case as in the help. */
  static String script(CommandLine root) {
    return VALUES
        .matcher(AutoComplete.bash("slicewise", root))
        .replaceAll(
            line -> {
              int values = line.group().indexOf('(');
              return line.group().substring(0, values)
                  + line.group().substring(values).toLowerCase(Locale.ROOT).replace('_', '-');
            });
  }
}
