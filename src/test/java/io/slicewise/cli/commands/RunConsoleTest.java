package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.screens.AnswerScreen;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.RunEnd;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.Credit;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the last words of a run: its exit code, the receipt, and what to do next. */
class RunConsoleTest {
  @TempDir private Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private RunDirectory run;

  @BeforeEach
  void makeARun() throws IOException {
    Files.createDirectory(directory.resolve("trials"));
    Files.writeString(
        directory.resolve("experiment.yaml"),
        """
        name: shop
        host: {address: dom0.example}
        domains: {main: [web]}
        profiles: [{name: heavy, scheduler: credit, main: {weight: 512}}]
        workload: observe
        """);
    run = RunDirectory.open(directory);
  }

  @Test
  void reportThatFailsDoesNotHideThatTheHostIsNotRestored() throws IOException {
    Files.writeString(directory.resolve("tables"), "in the way");
    assertThat(finish(RunState.NOT_RESTORED)).isEqualTo(ExitCode.HOST_NOT_RESTORED.code());
    assertThat(err.toString()).contains("cannot write the report");
    assertThat(out.toString())
        .contains("slicewise restore " + directory)
        .doesNotContain("slicewise resume");
  }

  @Test
  void reportThatFailsSpoilsASuccess() throws IOException {
    Files.writeString(directory.resolve("tables"), "in the way");
    assertThat(finish(RunState.DONE)).isEqualTo(ExitCode.STORAGE.code());
  }

  @Test
  void printsTheReceipt() throws IOException {
    try (Journal journal = Journal.open(run.journalFile())) {
      journal.append(
          new JournalEvent.Applying(
              Instant.parse("2026-11-20T21:00:01Z"), "db", Credit.of(256, 0), Credit.of(512, 0)));
    }
    finish(RunState.NOT_RESTORED);
    assertThat(out.toString())
        .contains("1 of 2 settings restored and verified: web weight 256 cap 0; NOT RESTORED: db");
  }

  @Test
  void printsWhichChangedGuestsAreGone() {
    RunOutcome outcome =
        new RunOutcome(
            RunState.DONE,
            Set.of(),
            true,
            Map.of("web", Credit.of(256, 0)),
            Map.of("db", "no longer runs, so there is nothing to restore"),
            "done");
    assertThat(RunEnd.of(run, outcome, Optional.empty(), ExitCode.OK).facts().settings().gone())
        .containsOnlyKeys("db");
    RunEnd end = RunEnd.of(run, outcome, Optional.empty(), ExitCode.OK);
    assertThat(String.join(" ", AnswerScreen.lines(List.of(end), 100)).replaceAll("\\s+", " "))
        .contains("1 of 1 settings restored")
        .contains("gone: db no longer runs, so there is nothing to restore");
  }

  @Test
  void runWithoutValidDataIsNotToBeResumed() {
    assertThat(finish(RunState.NO_VALID_DATA)).isEqualTo(ExitCode.NO_VALID_DATA.code());
    assertThat(out.toString()).contains("Next").doesNotContain("slicewise resume");
  }

  @Test
  void runOnATooBusyMachineConfirmsNothingAndItsExitCodeSaysSo() {
    RecordedRun recorded = RecordedRun.begin(directory.resolve("busy"), RecordedRun.EXPERIMENT);
    List<Finding> busy =
        List.of(new Finding(Rule.GENERATOR, false, "a run queue of 9.0 per core", "other work"));
    Random random = new Random(3);
    int number = 1;
    for (int block = 1; block <= 8; block++) {
      for (int users : List.of(50, 300)) {
        for (String profile : List.of("w256", "again", "w512")) {
          Trial trial = new Trial(number++, block, profile, Load.of(users), block);
          double p95 = (profile.equals("w512") ? 160 : 200) + random.nextGaussian();
          recorded.found(trial, users * 1000 / p95, p95, busy);
        }
      }
    }
    run = recorded.end();
    assertThat(finish(RunState.DONE)).isEqualTo(ExitCode.TOO_BUSY.code());
    assertThat(out.toString()).contains("too busy");
    assertThat(finish(RunState.INTERRUPTED)).isEqualTo(ExitCode.INTERRUPTED.code());
  }

  private int finish(RunState state) {
    OutputOptions text = new OutputOptions();
    RunConsole console =
        new RunConsole(
            new PrintWriter(out, true),
            new PrintWriter(err, true),
            text,
            new Verbosity(),
            SweepOptions.DEFAULT);
    return console.finish(
        run, new RunOutcome(state, Set.of(), true, Map.of("web", Credit.of(256, 0)), state.text()));
  }
}
