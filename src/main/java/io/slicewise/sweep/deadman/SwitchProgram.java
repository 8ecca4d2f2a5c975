package io.slicewise.sweep.deadman;

import io.slicewise.host.Undo;
import io.slicewise.host.Undo.Part;
import io.slicewise.host.Undo.Reading;
import io.slicewise.ssh.Command;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    Map<String, String> present = new LinkedHashMap<>();
    Map<String, String> parts = new LinkedHashMap<>();
    Map<String, Part> all = new LinkedHashMap<>();
    for (int i = 0; i < undos.size(); i++) {
      String domain = Integer.toString(i + 1);
      present.put(domain, test(undos.get(i).present()));
      List<String> numbers = new ArrayList<>();
      for (Part part : undos.get(i).parts()) {
        numbers.add("%s.%d".formatted(domain, numbers.size() + 1));
        all.put(numbers.get(numbers.size() - 1), part);
      }
      parts.put(domain, "echo " + String.join(" ", numbers));
    }
    lines.addAll(function("present", present));
    lines.addAll(function("parts", parts));
    lines.addAll(function("undo", of(all, SwitchProgram::commands)));
    lines.addAll(function("shows", of(all, part -> test(part.restored()))));
    lines.addAll(function("known", of(all, part -> test(part.known()))));
    lines.addAll(function("rows", of(all, part -> "rows=" + quoted(part.lines()))));
    return String.join("\n", lines) + "\n" + fixedPart();
  }

  private static Map<String, String> of(Map<String, Part> parts, Function<Part, String> body) {
    Map<String, String> bodies = new LinkedHashMap<>();
    parts.forEach((number, part) -> bodies.put(number, body.apply(part)));
    return bodies;
  }

  private static List<String> function(String name, Map<String, String> bodies) {
    List<String> lines = new ArrayList<>();
    lines.add(name + "() {");
    lines.add("  case $1 in");
    bodies.forEach(
        (number, body) -> {
          lines.add("    %s)".formatted(number));
          lines.add("      " + body);
          lines.add("      ;;");
        });
    lines.add("  esac");
    lines.add("}");
    return lines;
  }

  private static String commands(Part part) {
    String sent =
        part.commands().stream()
            .map(Command::quoted)
            .collect(Collectors.joining(part.whatever() ? "\n        " : " &&\n        "));
    return part.whatever() ? sent + "\n        :" : sent;
  }

  /** Returns a test that fails with 1 if a line is missing, and with 2 if nothing can be read. */
  private static String test(Reading reading) {
    return "text=$(%s) || return 2\n".formatted(reading.command().quoted())
        + reading.lines().stream()
            .map(line -> "      has_line " + quoted(line))
            .collect(Collectors.joining(" &&\n"));
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
