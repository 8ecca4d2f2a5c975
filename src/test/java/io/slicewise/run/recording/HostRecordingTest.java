package io.slicewise.run.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects recordings: what was answered is read back, whatever ended the process. */
class HostRecordingTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  @TempDir Path root;

  private static HostAnswer answer(int second, String out) {
    return HostAnswer.of(NOON.plusSeconds(second), List.of("xl", "list"), false, 0, out, "");
  }

  private List<String> lines() throws IOException {
    return Files.readAllLines(root.resolve(HostRecording.NAME));
  }

  @Test
  void aRepeatedAnswerNamesItsLineAndIsReadInFull() throws IOException {
    HostRecording recording = HostRecording.in(root);
    recording.add(answer(1, "a\tb\n"));
    recording.add(answer(2, "c"));
    recording.add(answer(3, "a\tb\n"));
    assertThat(lines().get(2)).isEqualTo("{\"at\":\"2026-11-22T12:00:03Z\",\"again\":1}");
    assertThat(HostRecording.read(root))
        .containsExactly(answer(1, "a\tb\n"), answer(2, "c"), answer(3, "a\tb\n"));
  }

  @Test
  void continuesAfterAHalfWrittenLine() throws IOException {
    HostRecording.in(root).add(answer(1, "first"));
    Files.writeString(
        root.resolve(HostRecording.NAME), "{\"at\":\"2026-", StandardOpenOption.APPEND);
    HostRecording next = HostRecording.in(root);
    next.add(answer(2, "first"));
    next.add(answer(3, "first"));
    assertThat(HostRecording.read(root))
        .containsExactly(answer(1, "first"), answer(2, "first"), answer(3, "first"));
  }

  @Test
  void endsAtItsLimitAndLeavesOutWhatIsTooLong() throws IOException {
    HostRecording recording = HostRecording.in(root);
    recording.add(answer(0, "x".repeat(300_000)));
    for (int i = 1; i <= 100; i++) {
      recording.add(answer(i, i + "y".repeat(100_000)));
    }
    assertThat(Files.size(root.resolve(HostRecording.NAME)))
        .isBetween(HostRecording.LIMIT - 110_000L, (long) HostRecording.LIMIT);
    assertThat(HostRecording.read(root)).hasSizeBetween(80, 84).doesNotContainNull();
    assertThat(HostRecording.read(root).get(0)).isEqualTo(answer(1, "1" + "y".repeat(100_000)));
  }
}
