package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.FinishedTrials;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.experiment.SessionKey;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects a switchback whose first block another program disturbs, and that is killed with SIGKILL
 * while it measures the block that replaces it: no block is lost and none counts twice.
 */
@Tag("nightly")
@MeasuresInRealTime
class ReplacedBlocksTest {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long WASH_OUT_AND_WINDOW = 3;
  private static final int PLANNED_BLOCKS = 2;
  private static final int PLANNED_WINDOWS = 4;

  /** The lab's guests compute without end, which takes little of this machine's CPU. */
  private static final String EXPERIMENT =
      """
      name: replaced
      lab:
        scheduler: credit
        xenmon: false
        guests:
          - {name: Apache_Server, vcpus: 1, burns: true}
          - {name: NFS_Server, vcpus: 1, burns: true}
      domains: {main: [Apache_Server], other: [NFS_Server]}
      profiles:
        - as-found
        - {name: w1024, scheduler: credit, main: {weight: 1024}}
      workload: observe
      design: {kind: switchback, sessions: 1, blocks: 2, window: 1500ms, wash-out: 1s}
      warm-up: 0s
      ramp: 0s
      cool-down: 0s
      limits: {lab-lateness: 9s, other-work: 75%, repeat-invalid: 9}
      """;

  @TempDir private Path directory;

  @Test
  void aRunKilledInAReplacingBlockLosesAndDoublesNone() throws Exception {
    Path results = directory.resolve("results");
    killedWhileItReplaces(results);
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    List<Integer> before = FinishedTrials.of(run);
    assertThat(disturbed(run)).isNotEmpty();
    List<JournalEvent.TrialsPlanned> added = added(run);
    assertThat(added.get(0).reason())
        .isEqualTo("1 more block in session 1, for one that other programs disturbed");
    String screen = Files.readString(directory.resolve("run.log"));
    assertThat(screen.lines().filter(line -> line.contains("windows added: ")))
        .containsExactlyElementsOf(
            added.stream()
                .map(more -> "%d windows added: %s".formatted(more.trials().size(), more.reason()))
                .toList());
    int windows = PLANNED_WINDOWS + added.stream().mapToInt(more -> more.trials().size()).sum();
    assertThat(screen).contains("5/" + windows + " ");

    Said resumed = CommandLines.run("resume", run.root().toString(), "--plain");
    assertThat(resumed.exit()).as(resumed.err()).isIn(CommandLines.measured());
    assertThat(resumed.err().replaceAll("\\s+", " "))
        .contains("cut short or disturbed by other programs");
    List<Integer> after = FinishedTrials.of(run);
    assertThat(after).startsWith(before.toArray(Integer[]::new)).doesNotHaveDuplicates();
    List<Trial> all = run.results().stream().map(TrialResult::trial).toList();
    assertThat(all).extracting(Trial::number).containsExactlyInAnyOrderElementsOf(after);
    assertThat(all)
        .extracting(trial -> List.of(block(trial), trial.profile()))
        .doesNotHaveDuplicates();
    assertThat(cleanBlocks(run)).isEqualTo(PLANNED_BLOCKS);
  }

  /** Disturbs the first window, and kills the run in the second window of the block for it. */
  private void killedWhileItReplaces(Path results) throws Exception {
    Path file = Files.writeString(directory.resolve("replaced.yaml"), EXPERIMENT);
    Process process =
        SlicewiseProcess.start(
            directory, "run", file.toString(), "--results", results.toString(), "--plain");
    try {
      await(process, results, 1);
      try (Burners others = new Burners()) {
        // The run does not begin its next window, which ends this one, while they burn.
        TimeUnit.SECONDS.sleep(WASH_OUT_AND_WINDOW);
      }
      FinishedTrials.await(results, 1, () -> !process.isAlive());
      await(process, results, PLANNED_WINDOWS + 2);
      assertThat(process.isAlive()).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Waits until a window has begun. */
  private static void await(Process process, Path results, int window) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(10))
        .until(
            () ->
                !process.isAlive()
                    || RunDirectory.newest(results)
                        .filter(
                            run ->
                                JournalEvent.of(run.events(), JournalEvent.TrialStarted.class)
                                    .anyMatch(started -> started.trial() == window))
                        .isPresent());
  }

  /** The windows that were added for a reason, as the journal has them. */
  private static List<JournalEvent.TrialsPlanned> added(RunDirectory run) {
    return JournalEvent.of(run.events(), JournalEvent.TrialsPlanned.class)
        .filter(planned -> !planned.reason().isEmpty())
        .toList();
  }

  private static List<TrialResult> disturbed(RunDirectory run) {
    return run.results().stream().filter(TrialResult::disturbed).toList();
  }

  private static long cleanBlocks(RunDirectory run) {
    Set<Object> disturbed = new HashSet<>();
    disturbed(run).forEach(result -> disturbed.add(block(result.trial())));
    Map<List<Object>, Long> windows =
        run.results().stream()
            .map(result -> block(result.trial()))
            .filter(block -> !disturbed.contains(block))
            .collect(Collectors.groupingBy(block -> block, Collectors.counting()));
    return windows.values().stream().filter(number -> number == 2).count();
  }

  private static List<Object> block(Trial trial) {
    return List.of(
        trial.session().map(SessionKey::number).orElseThrow(),
        trial.place().map(WindowPlace::block).orElseThrow());
  }

  /** Uses every CPU of this machine until it is closed: to the run, another program. */
  private static final class Burners implements AutoCloseable {
    private final AtomicBoolean burning = new AtomicBoolean(true);
    private final List<Thread> threads = new ArrayList<>();

    Burners() {
      for (int i = 0; i < 2 * Runtime.getRuntime().availableProcessors(); i++) {
        Thread thread =
            new Thread(
                () -> {
                  while (burning.get()) {
                    Thread.onSpinWait();
                  }
                });
        thread.start();
        threads.add(thread);
      }
    }

    @Override
    public void close() throws InterruptedException {
      burning.set(false);
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }
}
