package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.host.HypervisorVersion;
import io.slicewise.run.Origin;
import io.slicewise.run.RecordedRun;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.bundle.RunBundle;
import io.slicewise.run.recording.HostRecording;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects replays of a bundle: another process works with the recorded host as with the real. */
class ReplayTest {
  private static final String EXPERIMENT =
      """
      name: watched
      lab: {scheduler: credit}
      domains: {main: [Apache_Server]}
      workload: observe
      baseline: as-found
      repetitions: 1
      warm-up: 0s
      measure: 1s
      cool-down: 0s
      limits: {lab-lateness: 9s}
      profiles:
        - as-found
        - {name: w512, scheduler: credit, main: {weight: 512}}
      """;

  @TempDir private static Path directory;
  private static RunDirectory run;

  @BeforeAll
  static void record() throws IOException {
    Path file = Files.writeString(directory.resolve("watched.yaml"), EXPERIMENT);
    Path results = directory.resolve("results");
    Said said =
        CommandLines.run("run", "--anyway", file.toString(), "--results", results.toString());
    assertThat(said.exit()).as(said.err()).isIn(CommandLines.measured());
    run = RunDirectory.newest(results).orElseThrow();
  }

  /** {@code slicewise lab --replay} as a process of its own; closing it ends it. */
  private record Replay(Process process, Path experiment) implements AutoCloseable {
    static Replay of(Path bundle) throws IOException {
      Process process =
          SlicewiseProcess.of(Main.class, bundle.getParent(), "lab", "--replay", bundle.toString())
              .start();
      BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
      List<String> before = new ArrayList<>();
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        before.add(line);
        if (line.startsWith("Run ")) {
          return new Replay(
              process, Path.of(line.substring("Run ".length()).strip(), "experiment.yaml"));
        }
      }
      throw new AssertionError(String.join("\n", before));
    }

    @Override
    public void close() throws InterruptedException {
      process.destroy();
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      assertThat(experiment).doesNotExist();
    }
  }

  private static Path bundle(String name, boolean scrub) {
    Path file = directory.resolve(name + RunBundle.SUFFIX);
    RunBundle.write(run, file, true, scrub);
    return file;
  }

  @Test
  void doctorPlanRunAndRestoreWorkOnAScrubbedBundlesHost() throws Exception {
    Path bundle = bundle("scrubbed", true);
    try (ZipFile zip = new ZipFile(bundle.toFile())) {
      String recording =
          new String(
              zip.getInputStream(zip.getEntry(HostRecording.NAME)).readAllBytes(),
              StandardCharsets.UTF_8);
      assertThat(recording)
          .contains("sched-credit", "guest-1", "host-1")
          .doesNotContain("Apache_Server", "MySQL_Server", "xenhost");
    }
    try (Replay replay = Replay.of(bundle)) {
      String experiment = replay.experiment().toString();
      assertThat(CommandLines.run("doctor", experiment).out())
          .contains("Xen 4.17.0 through xl, 4 pCPUs", " 0 blocking");
      assertThat(CommandLines.run("plan", "--commands", experiment).out())
          .contains("guest-1: weight 256 cap 0 -> weight 512 cap 0", "xl sched-credit -d 1 -w 512");
      Path results = directory.resolve("replayed");
      Said ran = CommandLines.run("run", "--anyway", experiment, "--results", results.toString());
      assertThat(ran.out().replaceAll("\\s+", " "))
          .as(ran.err())
          .contains("(2 of 2 trials, ", "guest-1 weight 256 cap 0");
      assertThat(ran.exit()).isIn(CommandLines.measured());
      assertThat(RunDirectory.newest(results).orElseThrow().origin().kind())
          .isEqualTo(Origin.Kind.LAB);
      Said restored = CommandLines.run("restore", replay.experiment().getParent().toString());
      assertThat(restored.out()).as(restored.err()).contains("nothing to restore");
    }
  }

  @Test
  void aRunShowsAnAnswerThatDiffers() throws Exception {
    Path file = run.root().resolve(HostRecording.NAME);
    String recorded = Files.readString(file);
    String differing = recorded.replaceAll("(Apache_Server +1 +)512", "$1300");
    assertThat(differing).isNotEqualTo(recorded);
    Path bundle;
    try {
      Files.writeString(file, differing);
      bundle = bundle("differing", false);
    } finally {
      Files.writeString(file, recorded);
    }
    try (Replay replay = Replay.of(bundle)) {
      Said ran =
          CommandLines.run(
              "run",
              "--anyway",
              replay.experiment().toString(),
              "--results",
              directory.resolve("differs").toString());
      assertThat(ran.out() + ran.err()).contains("asked weight 512 cap 0, read weight 300 cap 0");
      assertThat(ran.exit()).isNotZero();
    }
  }

  @Test
  void aBundleWithoutARecordingIsRefusedWithOneSentence() throws IOException {
    RunDirectory old =
        RecordedRun.begin(directory.resolve("old-2026"), RecordedRun.EXPERIMENT)
            .on(HypervisorVersion.of(4, 17), 4)
            .end();
    Path bundle = directory.resolve("old" + RunBundle.SUFFIX);
    RunBundle.write(old, bundle, true, false);
    Said said = CommandLines.run("lab", "--replay", bundle.toString());
    assertThat(said.err())
        .contains("the run old-2026 has no recording of its host's answers (host-answers.jsonl)");
    assertThat(said.exit()).isEqualTo(ExitCode.USAGE.code());
    assertThat(CommandLines.run("lab", "--seed", "3", "--replay", bundle.toString()).err())
        .contains("--seed has no effect on a recorded host");
  }
}
