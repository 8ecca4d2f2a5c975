package io.slicewise.lab.dom0;

import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Filters of text: the real machine's own, which get the host's files on standard input and options
 * that can neither read nor write others.
 */
record Filters(HostFiles files) {
  private static final int USAGE = 2;

  /**
   * What a filter takes.
   *
   * @param fixed options that it always gets
   * @param allowed its options
   * @param valued those that take the next word
   * @param texts operands before the files, all if negative
   */
  private record Filter(List<String> fixed, String allowed, String valued, int texts) {}

  private static final Map<String, Filter> FILTERS =
      Map.of(
          "sed", new Filter(List.of("--sandbox"), "-[nE]+", "-n?e", 1),
          "tr", new Filter(List.of(), "-[csd]+", "", -1),
          "cut", new Filter(List.of(), "-s|-[dfc].+", "-[dfc]", 0),
          "sort", new Filter(List.of(), "-[nru]+", "", 0),
          "tail", new Filter(List.of(), "-n?[0-9]+", "-n", 0),
          "wc", new Filter(List.of(), "-[lwc]+", "", 0));

  Map<String, Program> tools() {
    Map<String, Program> tools = new HashMap<>();
    FILTERS.forEach((name, filter) -> tools.put(name, invocation -> run(invocation, filter)));
    return tools;
  }

  private int run(Invocation invocation, Filter filter) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(invocation.words().get(0)));
    command.addAll(filter.fixed());
    List<String> operands = new ArrayList<>();
    boolean valued = false;
    boolean scripted = false;
    for (String word : invocation.arguments()) {
      if (valued || word.matches(filter.allowed()) || word.matches(filter.valued())) {
        scripted |= valued && filter.texts() > 0;
        valued = !valued && !word.matches(filter.allowed());
        command.add(word);
      } else if (word.matches("-.+")) {
        invocation.complain("%s: %s is not an option here\n", invocation.words().get(0), word);
        return USAGE;
      } else {
        operands.add(word);
      }
    }
    int texts = filter.texts() < 0 ? operands.size() : scripted ? 0 : filter.texts();
    int from = Math.min(texts, operands.size());
    command.add("--");
    command.addAll(operands.subList(0, from));
    try {
      return run(invocation, command, input(invocation, operands.subList(from, operands.size())));
    } catch (FileNotFoundException missing) {
      invocation.complain(
          "%s: %s: No such file or directory\n", command.get(0), missing.getMessage());
      return USAGE;
    }
  }

  private byte[] input(Invocation invocation, List<String> names) throws IOException {
    if (names.isEmpty() || names.equals(List.of("-"))) {
      return invocation.input().readAllBytes();
    }
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (String name : names) {
      all.write(files.read(invocation.path(name)));
    }
    return all.toByteArray();
  }

  private static int run(Invocation invocation, List<String> command, byte[] input)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("LC_ALL", "C.UTF-8");
    Process process = builder.start();
    Thread feeder =
        new Thread(
            () -> {
              try (OutputStream to = process.getOutputStream()) {
                to.write(input);
              } catch (IOException closed) {
                // The filter has read enough, or its options are wrong.
              }
            },
            "lab-filter-input");
    feeder.setDaemon(true);
    feeder.start();
    try {
      process.getInputStream().transferTo(invocation.output());
      invocation.output().flush();
      process.getErrorStream().transferTo(invocation.errors());
      invocation.errors().flush();
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }
}
