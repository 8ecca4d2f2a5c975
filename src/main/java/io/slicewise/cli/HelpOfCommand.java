package io.slicewise.cli;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.Pager;
import io.slicewise.cli.screens.Terminal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code slicewise help}: prints a document, or the help of a command. */
@Command(
    name = "help",
    mixinStandardHelpOptions = true,
    description = "Prints a document, or the help of a command.",
    footer = {"", "slicewise help topics lists the documents."})
final class HelpOfCommand implements Callable<Integer> {
  private static final String TOPICS = "topics";

  @Parameters(
      paramLabel = "TOPIC",
      description =
          "A document as in help switchback, or a command as in help run (default: the list of"
              + " commands).")
  private List<String> words = List.of();

  @Option(
      names = "--search",
      description = "Lists the documents that contain all these words, with the lines.")
  private boolean search;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    Documents documents = new Documents(Path.of(System.getProperty("slicewise.home", ".")));
    if (search) {
      return found(documents);
    }
    String topic = words.size() == 1 ? words.get(0) : "";
    if (topic.equals(TOPICS)) {
      Pager.show(documents.titles(), spec.commandLine().getOut());
    } else if (documents.has(topic)) {
      List<String> lines = new ArrayList<>(documents.text(topic, Terminal.tableWidth()));
      if (root.getSubcommands().containsKey(topic)) {
        lines.add("");
        lines.add("The options of the command: slicewise %s --help".formatted(topic));
      }
      Pager.show(lines, spec.commandLine().getOut());
    } else {
      command(root).usage(spec.commandLine().getOut());
    }
    return ExitCode.OK.code();
  }

  private CommandLine command(CommandLine root) {
    CommandLine command = root;
    for (String word : words) {
      CommandLine named = command.getSubcommands().get(word);
      if (named == null) {
        throw new CommandLine.UnmatchedArgumentException(command, List.of(word));
      }
      command = named;
    }
    return command;
  }

  private int found(Documents documents) {
    if (words.isEmpty()) {
      throw SlicewiseException.input("there is no word to search for", "name one or more");
    }
    List<String> lines = documents.search(words, Terminal.tableWidth());
    if (lines.isEmpty()) {
      spec.commandLine().getErr().println("no document contains " + String.join(" and ", words));
      return ExitCode.UNDECIDED.code();
    }
    Pager.show(lines, spec.commandLine().getOut());
    return ExitCode.OK.code();
  }
}
