package io.slicewise.lab.replay;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.lab.daemon.LabKeys;
import io.slicewise.lab.daemon.SshDaemon;
import io.slicewise.lab.fault.LabFault.FaultScript;
import io.slicewise.lab.shell.HostFiles;
import io.slicewise.lab.shell.Invocation;
import io.slicewise.lab.shell.Program;
import io.slicewise.run.recording.HostAnswer;
import io.slicewise.run.recording.HostRecording;
import io.slicewise.ssh.Command;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** An SSH server on loopback that answers as the host of a recorded run did. */
public final class ReplayLab implements AutoCloseable {
  private final LabKeys keys;
  private final SshDaemon daemon;
  private final Path knownHosts;
  private final int commands;

  private ReplayLab(Path run, Path directory, int port) throws IOException {
    List<HostAnswer> answers = HostRecording.read(run);
    if (answers.isEmpty()) {
      throw SlicewiseException.input(
          "the run %s has no recording of its host's answers (%s)"
              .formatted(run.getFileName(), HostRecording.NAME),
          "it was made before Slicewise recorded them, or was not measured on a host");
    }
    commands = answers.size();
    Files.createDirectories(directory);
    HostFiles files = new HostFiles(directory.resolve("dom0"));
    for (HostAnswer one : answers) {
      place(run, one, files);
    }
    keys = LabKeys.in(directory);
    daemon =
        new SshDaemon(
            keys, Set.of(Invocation.ROOT), files, new FaultScript(List.of()), fault -> {}, port);
    daemon.up(new RecordedHost(answers));
    knownHosts = directory.resolve("known_hosts");
    Files.writeString(knownHosts, daemon.knownHostsLine() + "\n");
  }

  /**
   * Starts the server.
   *
   * @param run the run's directory
   * @param directory receives keys and the files that the host sent
   * @param port to listen on; 0 for any
   * @throws SlicewiseException if the run has no recording
   */
  public static ReplayLab start(Path run, Path directory, int port) {
    try {
      return new ReplayLab(run, directory, port);
    } catch (IOException fault) {
      throw new UncheckedIOException("the lab could not start", fault);
    }
  }

  /** Puts a file that the host sent where it was; one that the run no longer has is left out. */
  private static void place(Path run, HostAnswer sent, HostFiles files) throws IOException {
    Path plain = run.resolve(sent.file()).normalize();
    if (sent.file().isEmpty() || !plain.startsWith(run)) {
      return;
    }
    Path packed = plain.resolveSibling(plain.getFileName() + ".gz");
    Path target = files.locate(sent.words().get(0));
    Files.createDirectories(target.getParent());
    if (Files.isRegularFile(packed)) {
      try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
        Files.write(target, in.readAllBytes());
      }
    } else if (Files.isRegularFile(plain)) {
      Files.write(target, Files.readAllBytes(plain));
    }
  }

  public int port() {
    return daemon.port();
  }

  /** Returns how many answers were recorded. */
  public int answers() {
    return commands;
  }

  public Path privateKey() {
    return keys.clientFile();
  }

  public Path knownHosts() {
    return knownHosts;
  }

  @Override
  public void close() {
    daemon.close();
  }

  /**
   * Answers each command as it was answered when it was recorded: the n-th time with the n-th
   * answer, after the last one with that again. Each connection hears the recording from its
   * beginning.
   */
  static final class RecordedHost implements Program {
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
          answers
              .computeIfAbsent(asked.key(), key -> new ArrayList<>())
              .add(new Answer(asked, one));
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
}
