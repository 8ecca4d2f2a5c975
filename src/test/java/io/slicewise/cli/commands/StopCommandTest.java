package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.CommandLines;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.profile.Credit;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.StopFile;
import io.slicewise.run.StopRequest;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects against taking the end of an earlier process for that of the one that was stopped. */
class StopCommandTest {
  @TempDir private Path directory;

  /** Works on a run until it is asked to stop; what it then does is not journalled by itself. */
  private CompletableFuture<Void> worker(RunDirectory run, JournalEvent... last) {
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<Void> work =
        CompletableFuture.runAsync(
            () -> {
              try (RunLock lock = RunLock.take(run.root());
                  Journal journal = Journal.open(run.journalFile())) {
                journal.append(
                    new JournalEvent.RunStarted(Instant.now(), "desk", 2, "1", "root@dom0"));
                begun.complete(null);
                Awaitility.await().until(() -> Files.exists(run.root().resolve("stop")));
                for (JournalEvent event : last) {
                  journal.append(event);
                }
              }
            });
    begun.join();
    return work;
  }

  private RunDirectory ended() {
    return RecordedRun.begin(directory.resolve("shop"), RecordedRun.EXPERIMENT).end();
  }

  @Test
  void aProcessThatEndsWithoutRestoringIsNotTakenForAnEarlierOneThatDid() {
    RunDirectory run = ended();
    CompletableFuture<Void> work = worker(run);
    CommandLines.Said said = CommandLines.run("stop", run.root().toString());
    work.join();
    assertThat(said.err()).contains("ended without restoring its host");
    assertThat(said.exit()).isEqualTo(ExitCode.HOST_NOT_RESTORED.code());
  }

  @Test
  void theEndOfTheProcessThatWasStoppedIsShown() {
    RunDirectory run = ended();
    CompletableFuture<Void> work =
        worker(
            run, new JournalEvent.RunEnded(Instant.now(), RunState.INTERRUPTED, "the later end"));
    CommandLines.Said said = CommandLines.run("stop", run.root().toString());
    work.join();
    assertThat(said.out()).endsWith(": the later end\n");
    assertThat(said.exit()).isZero();
  }

  @Test
  void saysWhatTheProcessHasStillToDo() {
    RunDirectory run = ended();
    Instant now = Instant.now();
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(new JournalEvent.RunStarted(now, "desk", 2, "1", "root@dom0"));
      StopFile.ask(run);
      assertThat(StopCommand.waitsFor(run)).contains("has not seen the request yet");
      StopFile.of(run, new StopRequest(Clock.systemUTC())).close();
      assertThat(StopCommand.waitsFor(run)).contains("ends its load and its observers");
      journal.append(new JournalEvent.Applying(now, "web", Credit.of(256, 0), Credit.of(512, 0)));
      assertThat(StopCommand.waitsFor(run)).isEqualTo("the process has not restored web yet");
      journal.append(new JournalEvent.Restored(now, Map.of("web", Credit.of(256, 0)), Map.of()));
      journal.append(new JournalEvent.RunEnded(now, RunState.INTERRUPTED, "ended"));
      assertThat(StopCommand.waitsFor(run)).isEqualTo("the run has ended, and its process ends");
    }
  }
}
