package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabClient;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.sweep.guard.SweepOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Protects every kind of knob of a Xen host in one session: each is set, read back and undone when
 * the next profile's turn comes, and whatever ends a run leaves all of them as found.
 */
@KeepsTheMachineBusy
@Execution(ExecutionMode.CONCURRENT)
@Tag("thorough")
class KnobsTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String SPLIT = "split: {Pool-0: {cpus: 2-3, domains: [Apache_Server]}}";
  private static final String HOST =
      "host: {huge-pages: never, swappiness: 10}, disks: {xvda: {io-scheduler: mq-deadline}}";

  /** A profile for each knob. */
  private static final List<String> EVERY_KNOB =
      List.of(
          "name: weight, scheduler: credit, main: {weight: 512, cap: 40}",
          "name: placed, scheduler: credit, placement: {Apache_Server: {affinity: 1}}",
          "name: fewer, scheduler: credit, placement: {NFS_Server: {vcpus: 1}}",
          "name: pool, scheduler: credit, pools: {Pool-0: {timeslice: 5ms, ratelimit: 500us,"
              + " migration-delay: 2ms}}",
          "name: host, scheduler: credit, " + HOST,
          "name: rtds, scheduler: rtds, main: {budget: 3ms}, " + SPLIT,
          "name: unshared, scheduler: null, " + SPLIT);

  @TempDir Path directory;

  /** As-found and profiles, in a session of one block. */
  private Path session(Lab lab, String window, List<String> profiles) throws IOException {
    Path file = LabExperiment.asFound(lab, directory);
    StringBuilder text =
        new StringBuilder(
            Files.readString(file)
                .replace(
                    "repetitions: 1\n",
                    "design: {kind: switchback, sessions: 1, blocks: 1, window: %s}\n"
                        .formatted(window))
                .replace("measure: 1s\n", ""));
    for (String profile : profiles) {
      text.append("  - {%s}%n".formatted(profile));
    }
    return Files.writeString(file, text);
  }

  @Test
  void oneSessionSetsEveryKindOfKnob() throws IOException {
    try (Lab lab = SplitTest.lab();
        RemoteShell shell = LabClient.open(lab)) {
      String asFound = SplitTest.state(shell);
      Path file = session(lab, "1s", EVERY_KNOB);
      Path results = directory.resolve("results");
      LocalSweep.of(ExperimentFiles.read(file)).begin(results).execute();
      Map<String, String> set = new TreeMap<>();
      for (TrialResult result : RunDirectory.newest(results).orElseThrow().results()) {
        assertThat(result.valid()).as(result.trial().profile()).isTrue();
        set.put(result.trial().profile(), result.host().after().toString());
      }
      assertThat(set).hasSize(EVERY_KNOB.size() + 1);
      assertThat(set.get("fewer")).contains("vcpus 1");
      assertThat(set.get("pool")).contains("migration-delay 2 ms");
      assertThat(set.get("host"))
          .contains("huge-pages never", "swappiness 10", "disk xvda", "mq-deadline");
      assertThat(set.get("as-found")).contains("huge-pages madvise", "io-scheduler none");
      assertThat(SplitTest.state(shell)).isEqualTo(asFound);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "dead-man: 10s"})
  void aKilledRunLeavesTheHostAsFound(String deadMan) throws Exception {
    try (Lab lab = SplitTest.lab();
        RemoteShell shell = LabClient.open(lab)) {
      String asFound = SplitTest.state(shell);
      Path file =
          session(
              lab,
              "60s",
              List.of(
                  "name: host, scheduler: credit, placement: {NFS_Server: {vcpus: 1}}, " + HOST));
      Files.writeString(
          file,
          Files.readString(file)
              .replace("  user: root\n", "  user: root\n" + (deadMan + "\n").indent(2)));
      Path results = directory.resolve("results");
      Process process =
          SlicewiseProcess.start(
              directory, "run", file.toString(), "--results", results.toString());
      try {
        Awaitility.await()
            .atMost(PATIENCE)
            .pollInterval(Duration.ofMillis(20))
            .until(() -> !process.isAlive() || SplitTest.state(shell).contains("[mq-deadline]"));
      } finally {
        process.destroyForcibly().waitFor();
      }
      assertThat(SplitTest.state(shell))
          .as(Files.readString(directory.resolve("run.log")))
          .isNotEqualTo(asFound);
      if (deadMan.isEmpty()) {
        restore(results, file);
      }
      Awaitility.await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(SplitTest.state(shell)).isEqualTo(asFound));
    }
  }

  private static void restore(Path results, Path file) {
    HostRestore.restore(
        RunDirectory.newest(results).orElseThrow(),
        ExperimentFiles.read(file),
        SweepOptions.DEFAULT,
        Clock.systemUTC());
  }

  /** Each window changes another knob. */
  @Test
  @Tag("nightly")
  void nothingIsLeftWheneverARunOfAllKnobsIsKilled() throws Exception {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    int kills = Integer.getInteger("slicewise.kills", 100);
    Map<String, Integer> changed = new TreeMap<>();
    try (Lab lab = SplitTest.lab();
        RemoteShell shell = LabClient.open(lab)) {
      String asFound = SplitTest.state(shell);
      Path file = session(lab, "1s", EVERY_KNOB);
      for (int kill = 0; kill < kills; kill++) {
        Path results = Files.createTempDirectory(directory, "results");
        Files.writeString(
            file,
            Files.readString(file).replaceFirst("seed: \\d+", "seed: " + random.nextInt(999)));
        Process process =
            SlicewiseProcess.start(
                directory, "run", file.toString(), "--results", results.toString());
        boolean begun = begun(process, results, asFound, shell);
        process.waitFor(random.nextInt(1, 12_000), TimeUnit.MILLISECONDS);
        process.destroyForcibly().waitFor();
        String left = kindLeft(asFound, SplitTest.state(shell));
        changed.merge(left, 1, Integer::sum);
        if (begun) {
          restore(results, file);
        }
        assertThat(SplitTest.state(shell))
            .as("kill %d of seed %d, which left %s changed", kill, seed, left)
            .isEqualTo(asFound);
      }
    }
    System.out.printf("%d kills left changed: %s; nothing was left%n", kills, changed);
  }

  /**
   * Waits until a run has changed something, so that a kill meets its changes and not its start.
   */
  private static boolean begun(Process process, Path results, String asFound, RemoteShell shell)
      throws InterruptedException {
    for (int wait = 0; wait < 600 && process.isAlive(); wait++) {
      if (RunDirectory.newest(results).isPresent() && !SplitTest.state(shell).equals(asFound)) {
        break;
      }
      process.waitFor(50, TimeUnit.MILLISECONDS);
    }
    return RunDirectory.newest(results).isPresent();
  }

  private static String kindLeft(String before, String after) {
    if (after.contains("slicewise")) {
      return after.contains("rtds")
          ? "split under rtds"
          : after.contains("null") ? "split under null" : "split";
    }
    if (after.equals(before)) {
      return "nothing";
    }
    Map<String, String> marks = new TreeMap<>();
    marks.put("tslice=5ms", "pool");
    marks.put(" 512 ", "weight");
    marks.put("[never]", "host");
    marks.put("--p", "vCPUs");
    return marks.entrySet().stream()
        .filter(mark -> after.contains(mark.getKey()))
        .map(Map.Entry::getValue)
        .findFirst()
        .orElse("place");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "disks: {sdz: {io-scheduler: none}} | io-scheduler of disk sdz is"
            + " /sys/block/sdz/queue/scheduler, which this host does not have",
        "host: {governor: performance} | governor of the host is"
            + " /sys/devices/system/cpu/cpufreq/policy*/scaling_governor, which this host does not"
            + " have",
        "placement: {NFS_Server: {vcpus: 9}} | vcpus 9 of NFS_Server is more than the 2 with which"
            + " it was started",
      })
  void whatAHostDoesNotHaveIsRefusedBeforeAnythingIsChanged(String knob, String sentence)
      throws IOException {
    try (Lab lab = SplitTest.lab();
        RemoteShell shell = LabClient.open(lab)) {
      String asFound = SplitTest.state(shell);
      Path file = session(lab, "1s", List.of("name: other, scheduler: credit, " + knob));
      LocalSweep sweep = LocalSweep.of(ExperimentFiles.read(file));
      assertThatThrownBy(() -> sweep.begin(directory.resolve("results")).execute())
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining(sentence);
      assertThat(SplitTest.state(shell)).isEqualTo(asFound);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "host: {huge-pages: sometimes} | is not one of",
        "host: {swappines: 1} | did you mean",
        "host: {swappiness: 900} | 900",
        "disks: {} | disks lists no disk",
      })
  void aFaultInAHostKnobIsNamed(String knob, String sentence) throws IOException {
    try (Lab lab = SplitTest.lab()) {
      Path file = session(lab, "1s", List.of("name: other, scheduler: credit, " + knob));
      assertThatThrownBy(() -> ExperimentFiles.read(file)).hasMessageContaining(sentence);
    }
  }

  @Test
  void trialsRefuseWhatAllGuestsHaveInCommon() throws IOException {
    try (Lab lab = SplitTest.lab()) {
      Path file = LabExperiment.asFound(lab, directory);
      Files.writeString(
          file,
          Files.readString(file)
              + "  - {name: other, scheduler: credit, host: {huge-pages: never}}\n");
      assertThatThrownBy(() -> ExperimentFiles.read(file))
          .hasMessageContaining(
              "profile other sets the host, which all guests have in common: trials cannot compare"
                  + " that");
    }
  }
}
