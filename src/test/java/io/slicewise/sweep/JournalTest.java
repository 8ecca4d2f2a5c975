package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerParameters.Credit;
import io.slicewise.profile.SchedulerParameters.Rtds;
import io.slicewise.profile.SchedulerParameters.RtdsByVcpu;
import io.slicewise.profile.SchedulerParameters.Sedf;
import io.slicewise.units.SlicewiseException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: what the journal took is there after a crash, and nothing half-written is believed. */
class JournalTest {
  private static final Instant AT = Instant.parse("2026-11-20T21:00:00Z");

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("journal.jsonl");
  }

  private static JournalEvent.TrialFinished finished(int trial) {
    return new JournalEvent.TrialFinished(AT, trial, "000" + trial + "-p-u1-r1", true);
  }

  @Test
  void readsBackEveryKindOfEventAsItWasWritten() {
    Map<String, SchedulerParameters> settings =
        Map.of(
            "a b",
            new Credit(512, 50),
            "web",
            new Sedf(Duration.ofMillis(100), Duration.ofNanos(2_500_000), Duration.ZERO, true, 0),
            "rt",
            new Rtds(Duration.ofMillis(10), Duration.ofMillis(4), false),
            "mixed",
            new RtdsByVcpu(
                List.of(
                    new Rtds(Duration.ofMillis(10), Duration.ofMillis(4), false),
                    new Rtds(Duration.ofMillis(20), Duration.ofMillis(5), true))));
    List<JournalEvent> events =
        List.of(
            new JournalEvent.RunStarted(AT, "planner", 42, "0.1", "root@dom0:22"),
            new JournalEvent.SettingsFound(AT, settings),
            new JournalEvent.Applying(AT, "a b", new Credit(256, 0), new Credit(512, 50)),
            new JournalEvent.TrialStarted(AT, 1, "0001-p-u1-r1"),
            new JournalEvent.TrialFailed(AT, 1, "0001-p-u1-r1", "asked 512, read 256"),
            new JournalEvent.TrialAborted(AT, 2, "0002-p-u1-r1", "asked to stop"),
            finished(3),
            new JournalEvent.HostLost(AT, "no route"),
            new JournalEvent.Restored(AT, settings, Map.of("gone", "not running")),
            new JournalEvent.RunEnded(AT, RunState.DONE, "done"));
    try (Journal journal = Journal.open(file)) {
      events.forEach(journal::append);
    }
    assertThat(Journal.read(file)).isEqualTo(events);
  }

  @Test
  void forgetsALineCutShortAtAnyByteAndGoesOnBehindTheLastWholeOne() throws IOException {
    try (Journal journal = Journal.open(file)) {
      journal.append(finished(1));
      journal.append(finished(2));
    }
    byte[] whole = Files.readAllBytes(file);
    int firstLine = new String(whole, java.nio.charset.StandardCharsets.UTF_8).indexOf('\n') + 1;
    for (int length = firstLine; length < whole.length; length++) {
      Files.write(file, java.util.Arrays.copyOf(whole, length));
      assertThat(Journal.read(file)).containsExactly(finished(1));
      try (Journal journal = Journal.open(file)) {
        journal.append(finished(3));
      }
      assertThat(Journal.read(file)).containsExactly(finished(1), finished(3));
    }
  }

  @Test
  void aFullDiskLeavesNoHalfLineForALaterOneToContinue() throws IOException {
    try (FullDisk disk = new FullDisk(file);
        Journal journal = new Journal(disk)) {
      journal.append(finished(1));
      disk.room = 10;
      assertThatThrownBy(() -> journal.append(finished(2)))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("No space left on device");
      disk.room = Integer.MAX_VALUE;
      journal.append(finished(3));
    }
    assertThat(Journal.read(file)).containsExactly(finished(1), finished(3));
  }

  @Test
  void refusesToDecideAnythingOnAJournalWithAHole() throws IOException {
    try (Journal journal = Journal.open(file)) {
      journal.append(finished(1));
    }
    Files.writeString(file, "{\"event\":\"trial-f\n", StandardOpenOption.APPEND);
    assertThatThrownBy(() -> Journal.read(file))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("journal.jsonl:2");
  }

  @Test
  void isEmptyBeforeTheFirstRun() {
    assertThat(Journal.read(file)).isEmpty();
  }
}
