package io.slicewise.sweep.deadman;

import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Reading;
import io.slicewise.ssh.Command;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The POSIX shell program of a switch: the commands of one run, followed by a part that is the same
 * for every run. Every word of a command is quoted, and domains appear as numbers, so that no name
 * is ever read as shell syntax.
 *
 * @param limit without a heartbeat after which it restores
 * @param owner the text of the run's lock on the host; the switch acts only while the lock has it
 */
public record SwitchProgram(Duration limit, String owner, List<Undo> undos) {
  /** The path of the host's lock, a symbolic link to the owner's text. */
  public static final String LOCK = "/var/run/slicewise.lock";

  private static final long CHECKS = 20;
  private static final long LONGEST_STEP = 15;
  private static final int ATTEMPTS = 5;

  public SwitchProgram {
    undos = List.copyOf(undos);
  }

  /** Returns the program's text. */
  public String text() {
    long seconds = limit.toSeconds();
    long step = Math.max(1, Math.min(LONGEST_STEP, seconds / CHECKS));
    List<String> lines = new ArrayList<>();
    lines.add("#!/bin/sh");
    lines.add(
        "# A dead man's switch of Slicewise: restores this host if the run's heartbeats stop.");
    lines.add("# In this directory: sh program state, sh program stand-down, sh program clear");
    lines.add("limit=" + seconds);
    lines.add("step=" + step);
    lines.add("most=" + Math.max(2 * step, seconds / 3));
    lines.add("attempts=" + ATTEMPTS);
    lines.add("owner=" + quoted(owner));
    lines.add("lock=" + quoted(LOCK));
    lines.add("count=" + undos.size());
    lines.addAll(function("present", undo -> test(undo.present())));
    lines.addAll(function("undo", SwitchProgram::commands));
    lines.addAll(
        function(
            "shows",
            undo ->
                undo.readings().stream()
                    .map(SwitchProgram::test)
                    .collect(Collectors.joining(" &&\n        "))));
    return String.join("\n", lines) + "\n" + fixedPart();
  }

  private List<String> function(String name, Function<Undo, String> body) {
    List<String> lines = new ArrayList<>();
    lines.add(name + "() {");
    lines.add("  case $1 in");
    for (int i = 0; i < undos.size(); i++) {
      lines.add("    %d)".formatted(i + 1));
      lines.add("      " + body.apply(undos.get(i)));
      lines.add("      ;;");
    }
    lines.add("  esac");
    lines.add("}");
    return lines;
  }

  private static String commands(Undo undo) {
    return undo.commands().stream()
        .map(Command::quoted)
        .collect(Collectors.joining(" &&\n        "));
  }

  private static String test(Reading reading) {
    return "text=$(%s)".formatted(reading.command().quoted())
        + reading.lines().stream()
            .map(line -> " &&\n        has_line " + quoted(line))
            .collect(Collectors.joining());
  }

  private static String quoted(String word) {
    return Command.reading(word).quoted();
  }

  private static String fixedPart() {
    try (InputStream file = SwitchProgram.class.getResourceAsStream("dead-man.sh")) {
      return new String(Objects.requireNonNull(file).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException("the program of the dead man's switch is missing", fault);
    }
  }
}
