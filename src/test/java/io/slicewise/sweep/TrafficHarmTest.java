package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.result.CutShort;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
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

  /** A log of 40 requests a second, which take twice as long while something holds. */
  private static final class Server implements AutoCloseable {
    private final Path log;
    private final BooleanSupplier slow;
    private final Thread thread = new Thread(this::serve, "server");
    private final Random random = new Random(5);
    private volatile boolean silent;
    private volatile boolean open = true;

    Server(Path log, BooleanSupplier slow) throws IOException {
      this.log = Files.writeString(log, "");
      this.slow = slow;
      thread.start();
    }

    private void serve() {
      try {
        while (open) {
          TimeUnit.MILLISECONDS.sleep(25);
          double seconds = 0.05 * Math.exp(0.1 * random.nextGaussian());
          String line =
              String.format(
                  Locale.ROOT,
                  "%.3f %.3f - 200 GET site 500 \"/page\"%n",
                  System.currentTimeMillis() / 1e3,
                  slow.getAsBoolean() ? 2 * seconds : seconds);
          if (!silent) {
            Files.writeString(log, line, StandardOpenOption.APPEND);
          }
        }
      } catch (InterruptedException closed) {
        Thread.currentThread().interrupt();
      } catch (IOException fault) {
        throw new UncheckedIOException(fault);
      }
    }

    @Override
    public void close() {
      open = false;
      thread.interrupt();
    }
  }

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
      try (Server server =
          new Server(directory.resolve("access.log"), () -> !lab.settings().equals(asFound))) {
        Sweep sweep =
            sweep(
                LabExperiment.read(
                    experiment(
                        lab,
                        server.log,
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
      try (Server server = new Server(directory.resolve("access.log"), () -> false)) {
        Sweep sweep =
            sweep(
                LabExperiment.read(
                    experiment(lab, server.log, "window: 8s, wash-out: 1s, at-most: {pairs: 2}")),
                measuring(trial -> server.silent = true));
        sweep.execute();
        assertThat(lab.settings()).isEqualTo(asFound);
        assertThat(sweep.run().results()).isNotEmpty().noneMatch(TrialResult::valid);
        assertThat(sweep.run().results().get(0).window().end()).isBefore(Instant.now());
      }
    }
  }
}
