package io.slicewise.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help;

/** The list of commands in {@code slicewise --help}, grouped by what they are for. */
final class CommandGroups {
  private static final Map<String, List<String>> GROUPS = groups();

  private CommandGroups() {}

  private static Map<String, List<String>> groups() {
    Map<String, List<String>> groups = new LinkedHashMap<>();
    groups.put("Try", List.of("demo", "simulate", "lab"));
    groups.put("Plan", List.of("init", "plan", "doctor", "generator"));
    groups.put("Run", List.of("run", "tune", "nightly", "resume", "status"));
    groups.put(
        "Read", List.of("runs", "report", "recommend", "compare", "history", "study", "check"));
    groups.put("Look after the host", List.of("apply", "restore"));
    return groups;
  }

  /** Returns the groups with a line per command; a command of no group is a tool. */
  static String text(Help help) {
    Map<String, Help> commands = help.subcommands();
    if (help.commandSpec().parent() != null) {
      return help.commandList();
    }
    Set<String> tools = new LinkedHashSet<>(commands.keySet());
    Map<String, List<String>> groups = new LinkedHashMap<>();
    GROUPS.forEach(
        (title, names) -> {
          groups.put(title, names.stream().filter(commands::containsKey).toList());
          names.forEach(tools::remove);
        });
    groups.put("Tools", new ArrayList<>(tools));
    StringBuilder text = new StringBuilder();
    int room = commands.keySet().stream().mapToInt(String::length).max().orElse(0);
    groups.forEach(
        (title, names) -> {
          text.append(String.format("%n%s:%n", title));
          names.forEach(name -> text.append(line(commands.get(name), name, room)));
        });
    return text.toString();
  }

  /** Returns the command with the first sentence of its description. */
  private static String line(Help command, String name, int room) {
    String[] description = command.commandSpec().usageMessage().description();
    String first = description.length == 0 ? "" : description[0];
    int end = first.indexOf(". ");
    String sentence = end < 0 ? first : first.substring(0, end + 1);
    CommandLine.Help.TextTable table =
        Help.TextTable.forColumns(
            command.colorScheme(),
            new Help.Column(room + 4, 2, Help.Column.Overflow.SPAN),
            new Help.Column(
                command.commandSpec().usageMessage().width() - room - 4,
                0,
                Help.Column.Overflow.WRAP));
    table.addRowValues(name, sentence.replace("%n", " "));
    return table.toString();
  }
}
