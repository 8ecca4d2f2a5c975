package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.result.CutShort;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A candidate that doubles what the users of a site wait for is taken back within seconds, as often
 * as it is tried; so is one under a log that falls silent, and no verdict comes from what is
 * missing.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class TrafficHarmTest extends SweepsOnLab {
  private static final int PAIRS = Integer.getInteger("slicewise.harm-pairs", 6);
  private static final Duration BACK = Duration.ofSeconds(3);

  /** From the change of settings: seconds are complete 1 s later, and the alarm needs 5 of them. */
  private static final Duration EXPOSED = Duration.ofSeconds(15);

  private Path experiment(Lab lab, Path log, String design) throws IOException {
    Path file = LabExperiment.pairs(lab, directory, design);
    return Files.writeString(
        file,
        Files.readString(file)
            .replace("  user: root\n", "  user: root\n  dead-man: 2m\n")
            .replaceAll("(?m)^goal: highest run share.*\n", "")
            .replace("warm-up: 0s", "warm-up: 45s")
            .replace(
                "workload: observe\n",
                """
                workload:
                  name: traffic
                  log: {path: %s, format: nginx, machine: local}
                goal: lowest mean
                """
                    .formatted(log)));
  }

  @Test
  void aCandidateThatDoublesTheWaitIsTakenBackEachTime() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      try (LoggingServer server =
          new LoggingServer(
              directory.resolve("access.log"), () -> !lab.settings().equals(asFound))) {
        Sweep sweep =
            sweep(
                LabExperiment.read(
                    experiment(
                        lab,
                        server.log(),
                        "window: 16s, wash-out: 1s, at-most: {pairs: %d}".formatted(PAIRS))));
        sweep.execute();
        List<TrialResult> candidates = new ArrayList<>(sweep.run().results());
        candidates.removeIf(result -> result.trial().profile().equals("as-found"));
        assertThat(lab.settings()).isEqualTo(asFound);
        assertThat(candidates).isNotEmpty();
        for (TrialResult result : candidates) {
          CutShort cut = result.times().cut().orElseThrow();
          Duration exposed = Duration.between(result.warmUp().start(), result.window().end());
          System.out.printf(
              Locale.ROOT,
              "exposed %.1f s, back %.2f s after the alarm%n",
              exposed.toMillis() / 1e3,
              cut.restoreSeconds());
          assertThat(cut.restoreSeconds()).isLessThan((double) BACK.toSeconds());
          assertThat(exposed).isLessThan(EXPOSED);
        }
        assertThat(sweep.run().results())
            .filteredOn(result -> result.trial().profile().equals("as-found"))
            .noneMatch(result -> result.times().cut().isPresent());
      }
    }
  }

  @Test
  void aLogThatFallsSilentEndsNoStudyWithAVerdict() throws Exception {
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      try (LoggingServer server = new LoggingServer(directory.resolve("access.log"), () -> false)) {
        Sweep sweep =
            sweep(
                LabExperiment.read(
                    experiment(lab, server.log(), "window: 8s, wash-out: 1s, at-most: {pairs: 2}")),
                measuring(trial -> server.silence(true)));
        sweep.execute();
        assertThat(lab.settings()).isEqualTo(asFound);
        assertThat(sweep.run().results()).isNotEmpty().noneMatch(TrialResult::valid);
        assertThat(sweep.run().results().get(0).window().end()).isBefore(Instant.now());
      }
    }
  }
}
