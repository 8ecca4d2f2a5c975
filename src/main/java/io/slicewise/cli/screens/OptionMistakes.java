package io.slicewise.cli.screens;

import io.slicewise.base.yaml.Suggestion;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Prints a mistake in a command line: one sentence, and the nearest option or command. */
public final class OptionMistakes implements IParameterExceptionHandler {
  /** picocli's list of an enum's constants, {@code [TEXT, JSON]}. */
  private static final Pattern CONSTANTS = Pattern.compile("\\[[A-Z_]+(, [A-Z_]+)*\\]");

  /** The commands that start from an experiment file. */
  private static final Set<String> STARTS = Set.of("run", "plan", "doctor", "simulate");

  @Override
  public int handleParseException(ParameterException mistake, String[] arguments) {
    CommandLine command = mistake.getCommandLine();
    PrintWriter err = command.getErr();
    err.println("slicewise: " + sentence(mistake, command));
    if (mistake instanceof MissingParameterException && STARTS.contains(command.getCommandName())) {
      err.println(
          "  for example: slicewise init web-app -o web-app.yaml, then slicewise %s web-app.yaml"
              .formatted(command.getCommandName()));
    }
    err.println("  see '%s --help'".formatted(command.getCommandSpec().qualifiedName()));
    return ExitCode.USAGE.code();
  }

  private static String sentence(ParameterException mistake, CommandLine command) {
    if (mistake instanceof UnmatchedArgumentException unmatched) {
      String wrong = unmatched.getUnmatched().get(0);
      boolean option = wrong.startsWith("-");
      List<String> known =
          option ? options(command) : List.copyOf(command.getSubcommands().keySet());
      String what = option ? "option" : known.isEmpty() ? "argument" : "command";
      String name = option ? wrong.split("=", 2)[0] : wrong;
      return "unknown %s '%s'%s".formatted(what, name, Suggestion.of(name, known));
    }
    String message = String.valueOf(mistake.getMessage());
    Matcher constants = CONSTANTS.matcher(message);
    String plain =
        constants.find()
            ? constants.replaceAll(
                list ->
                    list.group()
                        .replaceAll("[\\[\\]]", "")
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-'))
            : message;
    return (plain.substring(0, 1).toLowerCase(Locale.ROOT) + plain.substring(1))
        .replaceAll("\\s*\\R\\s*", " ")
        .replace(" but was '", ", not '")
        .replace(" (case-insensitive)", "");
  }

  private static List<String> options(CommandLine command) {
    return command.getCommandSpec().options().stream()
        .filter(option -> !option.hidden())
        .map(OptionSpec::names)
        .flatMap(Arrays::stream)
        .filter(name -> name.startsWith("--"))
        .collect(Collectors.toList());
  }
}
