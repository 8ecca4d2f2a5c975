package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slicewise.cli.Slicewise;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunLock;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Protects {@code status --watch}: it shows each change, and ends with the run's process. */
class WatchedStatusTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void showsEachChangeUntilTheRunEnds() {
    RunDirectory run =
        RecordedRun.begin(directory.resolve("run"), RecordedRun.EXPERIMENT)
            .trial(1, "w256", 50, 1, 400, 200)
            .end();
    StringWriter out = new StringWriter();
    CommandLine commands = Slicewise.commandLine();
    commands.setOut(new PrintWriter(out));
    CompletableFuture<Integer> watching;
    try (RunLock working = RunLock.take(run.root())) {
      watching =
          CompletableFuture.supplyAsync(
              () -> commands.execute("status", "--watch", run.root().toString()));
      await().atMost(LIMIT).until(() -> out.toString().contains("next "));
      assertThat(watching).isNotDone();
      append(run, RunState.HOST_LOST, "the host is gone for now");
      await().atMost(LIMIT).until(() -> out.toString().contains("the host is gone for now"));
      assertThat(watching).isNotDone();
    }
    await().atMost(LIMIT).until(watching::isDone);
    assertThat(watching.join()).isEqualTo(ExitCode.OK.code());
    assertThat(out.toString().split("(?m)^run ")).as(out.toString()).hasSizeBetween(3, 4);
  }

  private static void append(RunDirectory run, RunState state, String sentence) {
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(new JournalEvent.RunEnded(Instant.now(), state, sentence));
    }
  }
}
