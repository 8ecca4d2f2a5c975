package io.slicewise.cli;

import io.slicewise.cli.screens.ExitCode;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise help}: prints the help of a command or of a command's own command. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    description = "Prints the help of a command, as COMMAND --help does.")
final class HelpOfCommand implements Callable<Integer> {
  @Parameters(
      paramLabel = "COMMAND",
      description = "As in help run or help study overhead (default: the list of commands).")
  private List<String> words = List.of();

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine command = spec.root().commandLine();
    for (String word : words) {
      CommandLine named = command.getSubcommands().get(word);
      if (named == null) {
        throw new CommandLine.UnmatchedArgumentException(command, List.of(word));
      }
      command = named;
    }
    command.usage(spec.commandLine().getOut());
    return ExitCode.OK.code();
  }
}
