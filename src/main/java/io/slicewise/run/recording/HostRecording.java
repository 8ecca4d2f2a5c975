package io.slicewise.run.recording;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.slicewise.base.json.Json;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.InputFile;
import io.slicewise.base.units.OwnerOnly;
import io.slicewise.base.units.SlicewiseException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The file of a run with its host's answers: one line each, written when the answer arrives, so
 * that those before a {@code kill -9} are there too. A line that repeats an earlier one names it,
 * and the file ends at a limit. A run does not fail because its recording cannot be written.
 */
public final class HostRecording {
  /** The name of the file in the run directory. */
  public static final String NAME = "host-answers.jsonl";

  static final int LIMIT = 8 << 20;
  private static final int LONGEST_ANSWER = 256 << 10;
  private static final Instant ANY_TIME = Instant.EPOCH;

  private final Path file;
  private final Map<HostAnswer, Integer> lines = new HashMap<>();
  private int written;
  private long bytes;
  private boolean ended;

  private HostRecording(Path file) {
    this.file = file;
  }

  /** Returns the recording of a run directory, which continues an earlier one. */
  public static HostRecording in(Path root) {
    HostRecording recording = new HostRecording(root.resolve(NAME));
    try {
      recording.resume();
    } catch (IOException unusable) {
      recording.ended = true;
    }
    return recording;
  }

  private void resume() throws IOException {
    if (!Files.exists(file)) {
      OwnerOnly.close(Files.createFile(file));
      return;
    }
    byte[] before = Files.readAllBytes(file);
    bytes = before.length;
    for (byte one : before) {
      written += one == '\n' ? 1 : 0;
    }
    if (bytes > 0 && before[before.length - 1] != '\n') {
      append("\n"); // a killed process left part of a line
    }
  }

  /** Adds an answer. One that is too long is left out. */
  public synchronized void add(HostAnswer answer) {
    if (ended || answer.out().length() + answer.err().length() > LONGEST_ANSWER) {
      return;
    }
    HostAnswer key = answer.at(ANY_TIME);
    Integer earlier = lines.get(key);
    try {
      append(
          Json.mapper().writeValueAsString(earlier == null ? answer : answer.repeating(earlier))
              + "\n");
      lines.putIfAbsent(key, written);
    } catch (IOException full) {
      ended = true;
    }
  }

  private void append(String line) throws IOException {
    byte[] text = line.getBytes(StandardCharsets.UTF_8);
    if (bytes + text.length > LIMIT) {
      ended = true;
      return;
    }
    Files.write(file, text, StandardOpenOption.APPEND);
    bytes += text.length;
    written++;
  }

  /**
   * Returns the answers of a run in their order, repeated ones in full; none if the run has no
   * recording. Lines that cannot be read are left out.
   */
  public static List<HostAnswer> read(Path root) {
    Path file = root.resolve(NAME);
    if (!Files.exists(file)) {
      return List.of();
    }
    List<HostAnswer> answers = new ArrayList<>();
    Map<Integer, HostAnswer> numbered = new HashMap<>();
    int number = 0;
    for (String line : lines(file)) {
      number++;
      HostAnswer answer = parsed(line, numbered);
      if (answer != null) {
        numbered.put(number, answer);
        answers.add(answer);
      }
    }
    return answers;
  }

  private static List<String> lines(Path file) {
    try {
      return InputFile.text(file, LIMIT).lines().toList();
    } catch (IOException unreadable) {
      throw SlicewiseException.input(
          "cannot read %s: %s".formatted(file, FileFault.reason(unreadable)), "", unreadable);
    }
  }

  private static HostAnswer parsed(String line, Map<Integer, HostAnswer> numbered) {
    try {
      HostAnswer answer = Json.mapper().readValue(line, HostAnswer.class);
      if (answer.again().isEmpty()) {
        return answer;
      }
      HostAnswer first = numbered.get(answer.again().getAsInt());
      return first == null ? null : first.at(answer.at());
    } catch (JsonProcessingException damaged) {
      return null;
    }
  }
}
