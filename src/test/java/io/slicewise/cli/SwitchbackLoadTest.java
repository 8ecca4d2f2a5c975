package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.FinishedTrials;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.SessionKey;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects sessions under load: windows share one generator, each has its own samples, and the
 * death of the generator costs the session, not what it measured before.
 */
@MeasuresInRealTime
class SwitchbackLoadTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String TINY =
      """
      name: tiny
      lab: {scheduler: credit, xenmon: false}
      domains: {main: [Apache_Server]}
      profiles:
        - as-found
        - {name: heavy, scheduler: credit, main: {weight: 512}}
      workload: web-app
      users: [2]
      design: {kind: switchback, sessions: 1, blocks: 3, window: 1s, wash-out: 300ms}
      ramp: 0s
      warm-up: 2s
      limits: {errors: 50%, generator-cpu: 100%, other-work: 100%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%}
      """;

  @TempDir private Path directory;

  @Test
  void theDeathOfTheGeneratorEndsTheSessionAndKeepsItsWindows() throws Exception {
    Path file = Files.writeString(directory.resolve("tiny.yaml"), TINY);
    Path results = directory.resolve("results");
    CompletableFuture<Said> said =
        CompletableFuture.supplyAsync(
            () -> CommandLines.run("run", file.toString(), "--results", results.toString()));
    FinishedTrials.await(results, 3, said::isDone);
    generatorOf(results.resolve(RunDirectory.newest(results).orElseThrow().name()))
        .orElseThrow()
        .destroyForcibly();

    Said end = said.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    // On a busy machine windows may finish and not be valid; that is not what is tested here.
    assertThat(end.exit()).as(end.err()).isIn(CommandLines.measured(ExitCode.TRIALS_FAILED));
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(sessions(run)).extracting(SessionKey::number).containsExactly(1, 2);
    List<TrialResult> windows = run.results();
    assertThat(windows)
        .hasSizeBetween(3 + 2, 5 + 4)
        .allSatisfy(
            window ->
                assertThat(run.trialDirectory(window.trial().slug()).resolve("samples.jtl.gz"))
                    .isNotEmptyFile());
    List<LoadResult> loads =
        windows.stream()
            .flatMap(window -> window.load().stream())
            .filter(load -> load.samples() > 0)
            .toList();
    assertThat(loads).hasSizeGreaterThan(2);
    assertThat(loads.stream().map(LoadResult::series).distinct()).hasSameSizeAs(loads);
    assertThat(run.root().resolve("sessions/s1-u2/warm-up.jtl.gz")).isNotEmptyFile();
  }

  private static List<SessionKey> sessions(RunDirectory run) {
    return run.events().stream()
        .filter(JournalEvent.SessionStarted.class::isInstance)
        .map(event -> ((JournalEvent.SessionStarted) event).session())
        .toList();
  }

  private static Optional<ProcessHandle> generatorOf(Path run) {
    return ProcessHandle.current()
        .children()
        .filter(
            child ->
                Arrays.stream(child.info().arguments().orElse(new String[0]))
                    .anyMatch(argument -> argument.startsWith(run.resolve("sessions").toString())))
        .findFirst();
  }
}
