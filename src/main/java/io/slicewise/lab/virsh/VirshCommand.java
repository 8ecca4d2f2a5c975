package io.slicewise.lab.virsh;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * One command of virsh.
 *
 * @param summary its one-line description in {@code help}
 * @param description its full description in {@code help}
 */
record VirshCommand(
    String name, String summary, String description, List<VshOption> options, Body body) {

  /** The action of a command. Failures are exceptions. */
  @FunctionalInterface
  interface Body {
    void run(VirshSession session, VshArguments arguments) throws IOException, InterruptedException;
  }

  static VirshCommand of(String name, String summary, Body body, VshOption... options) {
    return new VirshCommand(name, summary, summary, List.of(options), body);
  }

  /** Returns a command on the running guest, its configuration or both, as its last options say. */
  static VirshCommand withImpact(String name, String summary, Body body, VshOption... options) {
    return of(
        name,
        summary,
        body,
        Stream.concat(Stream.of(options), Impact.OPTIONS.stream()).toArray(VshOption[]::new));
  }

  VirshCommand describedAs(String other) {
    return new VirshCommand(name, summary, other, options, body);
  }

  String help() {
    StringBuilder text = new StringBuilder();
    text.append("  NAME\n    ").append(name).append(" - ").append(summary);
    text.append("\n\n  SYNOPSIS\n    ").append(name);
    for (VshOption option : options) {
      text.append(' ').append(synopsis(option));
    }
    text.append("\n\n  DESCRIPTION\n    ").append(description).append('\n');
    if (!options.isEmpty()) {
      text.append("\n  OPTIONS\n");
      for (VshOption option : options) {
        text.append("    %-15s  %s%n".formatted(usage(option), option.help()));
      }
    }
    return text.append('\n').toString();
  }

  private static String synopsis(VshOption option) {
    String name = "--" + option.name();
    return switch (option.kind()) {
      case FLAG -> "[" + name + "]";
      case REST -> "[[" + name + "] " + option.placeholder() + "]...";
      default ->
          option.required()
              ? "<" + option.name() + ">"
              : option.positional()
                  ? "[<" + option.name() + ">]"
                  : "[" + name + " " + option.placeholder() + "]";
    };
  }

  private static String usage(VshOption option) {
    String name = "--" + option.name();
    return switch (option.kind()) {
      case FLAG -> name;
      default -> (option.positional() ? "[" + name + "]" : name) + " " + option.placeholder();
    };
  }
}
