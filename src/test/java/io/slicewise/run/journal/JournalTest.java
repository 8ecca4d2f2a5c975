package io.slicewise.run.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Rtds;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.Sedf;
import io.slicewise.sweep.FullDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects: what the journal took is there after a crash, and nothing half-written is believed. */
class JournalTest {
  private static final Instant AT = Instant.parse("2026-11-20T21:00:00Z");

  private static final String SUM = "0123456789abcdef";

  @TempDir Path directory;
  private Path file;

  @BeforeEach
  void nameTheFile() {
    file = directory.resolve("journal.jsonl");
  }

  private static JournalEvent.TrialFinished finished(int trial) {
    return new JournalEvent.TrialFinished(AT, trial, "000" + trial + "-p-u1-r1", true, SUM);
  }

  @Test
  void readsBackEveryKindOfEventAsItWasWritten() {
    Map<String, SchedulerParameters> settings =
        Map.of(
            "a b",
            Credit.of(512, 50),
            "web",
            Sedf.of(Duration.ofMillis(100), Duration.ofNanos(2_500_000), Duration.ZERO, true, 0),
            "rt",
            Rtds.of(Duration.ofMillis(10), Duration.ofMillis(4), false),
            "mixed",
            SchedulerParameters.byVcpu(
                List.of(
                    Rtds.of(Duration.ofMillis(10), Duration.ofMillis(4), false),
                    Rtds.of(Duration.ofMillis(20), Duration.ofMillis(5), true))));
    List<JournalEvent> events =
        List.of(
            new JournalEvent.RunStarted(AT, "planner", 42, "0.1", "root@dom0:22"),
            new JournalEvent.SettingsFound(AT, settings),
            new JournalEvent.Applying(AT, "a b", Credit.of(256, 0), Credit.of(512, 50)),
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
        Journal journal = new Journal(disk, file)) {
      journal.append(finished(1));
      disk.room = 10;
      assertThatThrownBy(() -> journal.append(finished(2)))
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("the disk is full");
      disk.room = Integer.MAX_VALUE;
      journal.append(finished(3));
    }
    assertThat(Journal.read(file)).containsExactly(finished(1), finished(3));
  }

  @Test
  void aLineThatCannotBeReadIsReportedAndTheOthersAreUsed() throws IOException {
    write(1, 2);
    Files.writeString(file, "{\"event\":\"trial-f\n", StandardOpenOption.APPEND);
    assertThat(Journal.read(file)).containsExactly(finished(1), finished(2));
    assertThat(damages()).containsExactly(RunDamage.Kind.JOURNAL_ALTERED);
  }

  private void write(int... trials) {
    try (Journal journal = Journal.open(file)) {
      for (int trial : trials) {
        journal.append(finished(trial));
      }
    }
  }

  private List<RunDamage.Kind> damages() {
    return Journal.lines(file).damages().stream().map(RunDamage::kind).toList();
  }

  private void change(UnaryOperator<List<String>> change) throws IOException {
    Files.write(file, change.apply(new ArrayList<>(Files.readAllLines(file))));
  }

  @Test
  void anAlteredLineIsNotUsed() throws IOException {
    write(1, 2, 3);
    change(
        lines -> {
          lines.set(1, lines.get(1).replace("\"trial\":2", "\"trial\":7"));
          return lines;
        });
    assertThat(Journal.read(file)).containsExactly(finished(1), finished(3));
    assertThat(damages()).containsExactly(RunDamage.Kind.JOURNAL_ALTERED);
  }

  @Test
  void aRepeatedLineCountsOnceAndLinesOutOfOrderKeepTheirOrder() throws IOException {
    write(1, 2, 3);
    change(lines -> List.of(lines.get(2), lines.get(0), lines.get(1), lines.get(0)));
    assertThat(Journal.read(file)).containsExactly(finished(1), finished(2), finished(3));
    assertThat(damages())
        .contains(RunDamage.Kind.JOURNAL_REPEATED, RunDamage.Kind.JOURNAL_ORDER)
        .allMatch(kind -> !new RunDamage(kind, "", "").concernsSettings());
  }

  @Test
  void aMissingLineIsNoticedAtTheBeginningInTheMiddleAndAtTheEnd() throws IOException {
    write(1, 2, 3);
    List<String> whole = Files.readAllLines(file);
    for (int missing = 0; missing < whole.size(); missing++) {
      List<String> rest = new ArrayList<>(whole);
      rest.remove(missing);
      Files.write(file, rest);
      assertThat(damages()).containsExactly(RunDamage.Kind.JOURNAL_LINES_MISSING);
    }
  }

  @Test
  void aHeadThatIsBehindAfterACrashIsNoDamage() throws IOException {
    write(1, 2);
    byte[] head = Files.readAllBytes(directory.resolve("journal.head"));
    write(3);
    Files.write(directory.resolve("journal.head"), head);
    assertThat(damages()).isEmpty();
  }

  @Test
  void aJournalThatIsWrittenMeanwhileIsNotDamaged() {
    CompletableFuture<Void> writing =
        CompletableFuture.runAsync(() -> write(IntStream.rangeClosed(1, 150).toArray()));
    while (!writing.isDone()) {
      assertThat(damages()).isEmpty();
    }
    writing.join();
    assertThat(Journal.read(file)).hasSize(150);
  }

  @Test
  void aFirstLineMayBeReadBeforeItsHead() throws IOException {
    write(1);
    Files.delete(directory.resolve("journal.head"));
    assertThat(damages()).isEmpty();
    write(2);
    Files.delete(directory.resolve("journal.head"));
    assertThat(damages()).containsExactly(RunDamage.Kind.JOURNAL_END_UNKNOWN);
  }

  @Test
  void aLineWithoutAChecksumIsNotUsed() throws IOException {
    write(1, 2);
    change(
        lines -> {
          lines.add(lines.get(1).replaceFirst(",\"line\".*", "}"));
          return lines;
        });
    assertThat(Journal.read(file)).containsExactly(finished(1), finished(2));
    assertThat(damages()).containsExactly(RunDamage.Kind.JOURNAL_ALTERED);
  }

  @Test
  void onAFullDiskTheReserveStillTakesWhatTheHostGotBack() throws IOException {
    write(1);
    JournalEvent restored = new JournalEvent.Restored(AT, Map.of(), Map.of());
    try (FullDisk disk = new FullDisk(file);
        Journal journal = new Journal(disk, file)) {
      disk.room = 0;
      disk.freedBy = directory.resolve(".reserve");
      assertThatThrownBy(() -> journal.append(finished(2)))
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.STORAGE));
      journal.appendFromReserve(restored);
    }
    assertThat(Journal.read(file)).containsExactly(finished(1), restored);
    assertThat(damages()).isEmpty();
  }

  @Test
  void isEmptyBeforeTheFirstRun() {
    assertThat(Journal.read(file)).isEmpty();
  }

  /** What a later change leaves as it was is not this run's because of it. */
  @Test
  void aValueOfSomeoneElseIsNotOneThatTheRunMayHaveLeft() {
    DomainChange set = change(Credit.of(256, 0), Credit.of(512, 50));
    DomainChange undone = change(Credit.of(444, 50), Credit.of(444, 0));
    assertThat(set.and(undone).possible()).containsExactly(Credit.of(512, 50), Credit.of(512, 0));
    DomainChange unsent = change(Credit.of(256, 50), Credit.of(256, 0));
    assertThat(set.and(unsent).possible()).containsExactly(Credit.of(256, 50), Credit.of(256, 0));
  }

  private static DomainChange change(SchedulerParameters from, SchedulerParameters to) {
    return DomainChange.of(new JournalEvent.Applying(Instant.EPOCH, "web", from, to));
  }
}
