package io.slicewise.lab.replay;

import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.ssh.Command;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Answers each command as it was answered when it was recorded: the n-th time with the n-th answer,
 * after the last one with that again. Each connection hears the recording from its beginning.
 */
final class RecordedHost implements Program {
  private static final int UNKNOWN = 127;
  private static final int TERMINATED = 143;
  private static final int LONGEST_SHOWN = 80;

  /** What a run reads to recognize a lab: no run against a recording may pass for a real one. */
  private static final String VENDOR = "cat /sys/class/dmi/id/sys_vendor";

  private record Answer(AskedLine asked, HostAnswer given) {}

  /** What one connection has asked so far, and the names that its answers replace. */
  private static final class Listener {
    private final Map<String, Integer> asked = new HashMap<>();
    private final Map<String, String> names = new HashMap<>();
  }

  private final Map<String, List<Answer>> answers = new HashMap<>();
  private final Map<String, Listener> listeners = new ConcurrentHashMap<>();

  RecordedHost(List<HostAnswer> recorded) {
    for (HostAnswer one : recorded) {
      if (one.file().isEmpty() && !one.words().isEmpty()) {
        AskedLine asked =
            AskedLine.of(Command.reading(one.words().toArray(String[]::new)).quoted());
        answers.computeIfAbsent(asked.key(), key -> new ArrayList<>()).add(new Answer(asked, one));
      }
    }
  }

  @Override
  public int run(Invocation invocation) throws IOException {
    Listener listener =
        listeners.computeIfAbsent(invocation.connection(), connection -> new Listener());
    String line = invocation.words().get(0);
    if (line.equals(VENDOR)) {
      invocation.print("Slicewise\n");
      return 0;
    }
    Optional<HostAnswer> answer = next(AskedLine.of(line), listener);
    if (answer.isEmpty()) {
      invocation.complain("the recording has no answer to: %s\n", shown(line));
      return UNKNOWN;
    }
    if (answer.get().input() || answer.get().exit().isEmpty()) {
      invocation.input().transferTo(OutputStream.nullOutputStream());
    }
    invocation.output().write(answer.get().out().getBytes(StandardCharsets.UTF_8));
    invocation.errors().write(answer.get().err().getBytes(StandardCharsets.UTF_8));
    return answer.get().exit().orElse(TERMINATED);
  }

  private static String shown(String line) {
    return line.length() > LONGEST_SHOWN ? line.substring(0, LONGEST_SHOWN) + "…" : line;
  }

  private Optional<HostAnswer> next(AskedLine asked, Listener listener) {
    List<Answer> known = answers.getOrDefault(asked.key(), List.of());
    if (known.isEmpty()) {
      return Optional.empty();
    }
    synchronized (listener) {
      int time = listener.asked.merge(asked.key(), 1, Integer::sum);
      Answer answer = known.get(Math.min(time, known.size()) - 1);
      listener.names.putAll(asked.replacing(answer.asked()));
      return Optional.of(renamed(answer.given(), listener.names));
    }
  }

  private static HostAnswer renamed(HostAnswer given, Map<String, String> names) {
    String out = given.out();
    for (Map.Entry<String, String> name : names.entrySet()) {
      out = out.replace(name.getKey(), name.getValue());
    }
    return given.printing(out);
  }

  /**
   * A command line whose parts that differ between two runs are left out: the text of a host's
   * lock, the run's id, the number of a heartbeat.
   *
   * @param key equal for the same command of two runs
   * @param names the parts that a host may repeat in its answers: locks and switches, in order
   */
  private record AskedLine(String key, List<String> names) {
    private static final Pattern VARYING =
        Pattern.compile(
            "(?<name>[^' ]+ \\(run [0-9a-f]{16} of machine [0-9a-f]{16}, process \\d+ on [^)']*\\)"
                + "|(?<!slicewise-)\\b[0-9a-f]{16}-\\d{1,9}\\b)"
                + "|(?<=/tmp/slicewise-)[0-9a-f]{16}(?=-X+)"
                + "|(?<= beat )\\d+$");

    AskedLine {
      names = List.copyOf(names);
    }

    static AskedLine of(String line) {
      List<String> names = new ArrayList<>();
      StringBuilder key = new StringBuilder();
      Matcher varying = VARYING.matcher(line);
      while (varying.find()) {
        if (varying.group("name") != null) {
          names.add(varying.group("name"));
        }
        varying.appendReplacement(key, "*");
      }
      return new AskedLine(varying.appendTail(key).toString(), names);
    }

    /** Returns the names of a recorded run's command, each with that of this one. */
    Map<String, String> replacing(AskedLine recorded) {
      Map<String, String> replaced = new LinkedHashMap<>();
      for (int i = 0; i < names.size(); i++) {
        replaced.put(recorded.names.get(i), names.get(i));
      }
      return replaced;
    }
  }
}
