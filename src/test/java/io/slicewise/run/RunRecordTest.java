package io.slicewise.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.host.GuestId;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Credit2;
import io.slicewise.profile.Scheduler;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Protects: what is put back is what was found first, across resumes and reboots. */
class RunRecordTest {
  private static final Instant AT = Instant.EPOCH;
  private static final String SUM = "0123456789abcdef";

  private static JournalEvent found(String domain, int weight) {
    return new JournalEvent.SettingsFound(AT, Map.of(domain, Credit.of(weight, 0)));
  }

  private static JournalEvent applying(String domain) {
    return new JournalEvent.Applying(AT, domain, Credit.of(256, 0), Credit.of(512, 0));
  }

  @Test
  void firstFoundWins() {
    RunRecord record = RunRecord.of(List.of(found("web", 256), applying("web"), found("web", 512)));
    assertThat(record.foundFor(Scheduler.CREDIT, "web")).contains(Credit.of(256, 0));
  }

  @Test
  void aDomainThatCameUpInMidRunGetsBackWhatItHadBeforeItsFirstChange() {
    JournalEvent second =
        new JournalEvent.Applying(AT, "late", Credit.of(512, 0), Credit.of(1024, 0));
    RunRecord record = RunRecord.of(List.of(found("web", 256), applying("late"), second));
    assertThat(record.foundFor(Scheduler.CREDIT, "late")).contains(Credit.of(256, 0));
  }

  @Test
  void aFaultAfterATrialFinishedDoesNotMakeItAFailure() {
    RunRecord record =
        RunRecord.of(
            List.of(
                new JournalEvent.TrialFinished(AT, 7, "0007", true, SUM),
                new JournalEvent.TrialFailed(AT, 7, "0007", "the screen broke")));
    assertThat(record.failed()).isEmpty();
  }

  @Test
  void cannotBeChangedFromOutside() {
    RunRecord record = RunRecord.of(List.of(found("web", 256), applying("web")));
    assertThat(record.touched()).isUnmodifiable();
    assertThat(record.found()).isUnmodifiable();
    assertThat(record.found().get(Scheduler.CREDIT)).isUnmodifiable();
  }

  @Test
  void keepsWhatWasFoundUnderEachScheduler() {
    RunRecord record =
        RunRecord.of(
            List.of(
                found("web", 300),
                new JournalEvent.SettingsFound(AT, Map.of("web", Credit2.of(400, 0)))));
    assertThat(record.foundFor(Scheduler.CREDIT, "web")).contains(Credit.of(300, 0));
    assertThat(record.foundFor(Scheduler.CREDIT2, "web")).contains(Credit2.of(400, 0));
  }

  @Test
  void aDomainStaysTouchedUntilItWasReadBack() {
    RunRecord changed = RunRecord.of(List.of(found("web", 256), applying("web"), applying("db")));
    assertThat(changed.touched()).containsExactly("db", "web");
    RunRecord restored =
        changed.with(
            new JournalEvent.Restored(
                AT, Map.of("web", Credit.of(256, 0)), Map.of("db", "asked 256, read 512")));
    assertThat(restored.touched()).containsExactly("db");
  }

  @Test
  void aNameThatAnotherGuestTookForgetsTheFirstOne() {
    JournalEvent first = new JournalEvent.GuestsSeen(AT, Map.of("web", guest("a", 3)));
    RunRecord changed = RunRecord.of(List.of(first, found("web", 300), applying("web")));
    RunRecord restarted =
        changed.with(new JournalEvent.GuestsSeen(AT, Map.of("web", guest("a", 9))));
    assertThat(restarted.touched()).containsExactly("web");
    RunRecord replaced =
        restarted.with(new JournalEvent.GuestsSeen(AT, Map.of("web", guest("b", 10))));
    assertThat(replaced.touched()).isEmpty();
    assertThat(replaced.foundFor(Scheduler.CREDIT, "web")).isEmpty();
  }

  private static GuestId guest(String uuid, int domid) {
    return new GuestId(uuid, domid, "boot");
  }

  @Test
  void anAttemptThatFailedAfterAnInvalidOneIsAFailure() {
    RunRecord record =
        RunRecord.of(
            List.of(
                new JournalEvent.TrialFinished(AT, 7, "0007", false, SUM),
                new JournalEvent.TrialFailed(AT, 7, "0007-try2", "the guest is gone")));
    assertThat(record.failed()).containsOnlyKeys(7);
  }

  @Test
  void aTrialThatFinishedLaterIsNoFailureAnyMore() {
    RunRecord record =
        RunRecord.of(
            List.of(
                new JournalEvent.TrialFailed(AT, 7, "0007", "no samples"),
                new JournalEvent.TrialFinished(AT, 7, "0007", true, SUM)));
    assertThat(record.failed()).isEmpty();
    assertThat(record.finished()).containsExactly(7);
  }

  @Test
  void aStartWithoutAnEndIsARunUnderWayOrKilled() {
    JournalEvent start = new JournalEvent.RunStarted(AT, "planner", 1, "0.1", "dom0");
    JournalEvent end = new JournalEvent.RunEnded(AT, RunState.INTERRUPTED, "interrupted");
    assertThat(RunRecord.of(List.of(start, end)).state()).isEqualTo(RunState.INTERRUPTED);
    assertThat(RunRecord.of(List.of(start, end, start)).state()).isEqualTo(RunState.RUNNING);
  }
}
