package io.slicewise.cli;

import io.slicewise.base.units.Phrase;
import io.slicewise.cli.Slicewise.Version;
import io.slicewise.cli.screens.ExitCode;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** The manual page of a command in roff, from the same annotations as {@code --help}. */
final class ManualPage {
  private final CommandLine command;
  private final CommandSpec spec;
  private final Help help;
  private final StringBuilder page = new StringBuilder();

  private ManualPage(CommandLine command) {
    this.command = command;
    this.spec = command.getCommandSpec();
    this.help = command.getHelp();
  }

  static String of(CommandLine command) {
    return new ManualPage(command).written();
  }

  /** Returns the name of a command's page, as in {@code slicewise-run}. */
  static String name(CommandLine command) {
    return command.getCommandSpec().qualifiedName("-");
  }

  private String written() {
    UsageMessageSpec usage = spec.usageMessage();
    line(".TH \"%s\" 1 \"\" \"Slicewise %s\" \"Slicewise\"", title(), Version.text());
    section("NAME");
    line("%s \\- %s", escaped(name(command)), escaped(purpose(usage)));
    section("SYNOPSIS");
    line(".nh");
    line(".ad l");
    line("%s", escaped(joined(help.synopsis(0))));
    line(".ad");
    line(".hy");
    section("DESCRIPTION");
    for (String paragraph : usage.description()) {
      paragraph(plain(paragraph));
    }
    arguments();
    options();
    commands();
    exitCodes();
    seeAlso();
    return page.toString();
  }

  private String title() {
    return name(command).toUpperCase(Locale.ROOT);
  }

  /** Returns the first sentence of the description. */
  private static String purpose(UsageMessageSpec usage) {
    String text = usage.description().length == 0 ? "" : plain(usage.description()[0]);
    int end = text.indexOf(". ");
    return (end < 0 ? text : text.substring(0, end)).replaceFirst("\\.$", "");
  }

  private void arguments() {
    if (spec.positionalParameters().stream().anyMatch(argument -> !argument.hidden())) {
      section("ARGUMENTS");
      Help.IParameterRenderer renderer = help.createDefaultParameterRenderer();
      spec.positionalParameters().stream()
          .filter(argument -> !argument.hidden())
          .forEach(
              argument ->
                  item(
                      argument.paramLabel(),
                      renderer.render(
                          argument, help.parameterLabelRenderer(), help.colorScheme())));
    }
  }

  private void options() {
    section("OPTIONS");
    Help.IOptionRenderer renderer = help.createDefaultOptionRenderer();
    spec.options().stream()
        .filter(option -> !option.hidden())
        .forEach(
            option ->
                item(
                    heading(option),
                    renderer.render(option, help.parameterLabelRenderer(), help.colorScheme())));
  }

  private static String heading(OptionSpec option) {
    String names = String.join(", ", option.names());
    return option.arity().max() == 0 ? names : names + " " + option.paramLabel();
  }

  /** Writes an item; the last column of its rows in the help is the description. */
  private void item(String heading, Text[][] rows) {
    line(".TP");
    line(".B %s", escaped(heading));
    line(
        "%s",
        escaped(
            Stream.of(rows)
                .map(row -> row[row.length - 1].plainString())
                .collect(Collectors.joining(" "))));
  }

  private void commands() {
    if (command.getSubcommands().isEmpty()) {
      return;
    }
    section("COMMANDS");
    for (Map.Entry<String, CommandLine> sub : command.getSubcommands().entrySet()) {
      CommandSpec of = sub.getValue().getCommandSpec();
      line(".TP");
      line(".BR %s (1)", escaped(name(sub.getValue())));
      line("%s", escaped(purpose(of.usageMessage()) + "."));
    }
  }

  private void exitCodes() {
    section("EXIT STATUS");
    if (spec.parent() != null) {
      paragraph("The codes of slicewise(1).");
      return;
    }
    for (ExitCode code : ExitCode.values()) {
      line(".TP");
      line(".B %d", code.code());
      line("%s", escaped(code.meaning()));
    }
  }

  private void seeAlso() {
    if (spec.parent() != null) {
      section("SEE ALSO");
      line(".BR %s (1)", escaped(name(command.getParent())));
    }
  }

  private static String plain(String text) {
    return Help.Ansi.OFF.text(String.format(Locale.ROOT, text)).plainString();
  }

  private static String joined(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }

  private void section(String title) {
    line(".SH \"%s\"", title);
  }

  private void paragraph(String text) {
    line(".PP");
    line("%s", escaped(text));
  }

  private void line(String format, Object... values) {
    page.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  /** Returns the text with nothing left that roff would take for a request or an escape. */
  private static String escaped(String text) {
    StringBuilder safe = new StringBuilder();
    for (char letter : joined(text).toCharArray()) {
      switch (letter) {
        case '\\' -> safe.append("\\e");
        case '-' -> safe.append("\\-");
        case '\'' -> safe.append("\\(aq");
        case '`' -> safe.append("\\(ga");
        case '^' -> safe.append("\\(ha");
        case '~' -> safe.append("\\(ti");
        case '"' -> safe.append("\\(dq");
        default -> {
          if (letter < 128) {
            safe.append(letter);
          } else {
            safe.append(Phrase.of("\\[u%04X]", (int) letter));
          }
        }
      }
    }
    return safe.toString().startsWith(".") ? "\\&" + safe : safe.toString();
  }
}
