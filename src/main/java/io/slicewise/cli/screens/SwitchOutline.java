package io.slicewise.cli.screens;

import java.util.List;

/**
 * The dead man's switch of a run, for {@code plan}.
 *
 * @param sentence what it does and when
 * @param program that runs on the host; empty if the host was not read
 */
public record SwitchOutline(String sentence, List<String> program) {
  public SwitchOutline {
    program = List.copyOf(program);
  }

  /** Adds its lines, with the program if every command is shown. */
  void addTo(LabelledLines lines, boolean everyCommand) {
    lines.add("Switch", sentence);
    if (everyCommand && !program.isEmpty()) {
      lines.add("", "by this program:");
      program.forEach(lines::addVerbatim);
    }
  }
}
