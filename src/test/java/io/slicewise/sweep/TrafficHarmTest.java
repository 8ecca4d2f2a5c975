package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.Phrase;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes.CutShort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
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
  private static final int DOUBLINGS = Integer.getInteger("slicewise.doublings", 6);
  private static final int AT_ONCE = Integer.getInteger("slicewise.at-once", 3);

  /** Doublings of a study, after which its budget of harm ends it. */
  private static final int OF_A_STUDY = 6;

  private static final long BUDGET = 4_500;
  private static final Duration BACK = Duration.ofSeconds(3);

  /** From the change of settings: seconds are complete 1 s later, and the alarm needs 5 of them. */
  private static final Duration EXPOSED = Duration.ofSeconds(15);

  /** What a candidate's window did to the users. */
  private record Doubling(boolean cut, double exposedSeconds, double backSeconds) {
    static Doubling of(TrialResult result) {
      Duration exposed = Duration.between(result.warmUp().start(), result.window().end());
      return new Doubling(
          result.times().cut().isPresent(),
          exposed.toMillis() / 1e3,
          result.times().cut().map(CutShort::restoreSeconds).orElse(Double.NaN));
    }

    boolean isTakenBack() {
      return cut && backSeconds < BACK.toSeconds() && exposedSeconds < EXPOSED.toSeconds();
    }
  }

  /**
   * What a study did to the users.
   *
   * @param requests that were answered while the candidate was in force
   */
  private record Harm(List<Doubling> doublings, long requests) {}

  private Path experiment(Lab lab, Path home, Path log, String design) throws IOException {
    Path file = LabExperiment.pairs(lab, home, design);
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
    ExecutorService studies = Executors.newFixedThreadPool(AT_ONCE);
    List<Harm> done = new ArrayList<>();
    try {
      int count = (DOUBLINGS + OF_A_STUDY - 1) / OF_A_STUDY;
      List<Callable<Harm>> all =
          IntStream.range(0, count)
              .<Callable<Harm>>mapToObj(number -> () -> study(number))
              .toList();
      for (Future<Harm> one : studies.invokeAll(all)) {
        done.add(one.get());
      }
    } finally {
      studies.shutdownNow();
    }
    List<Doubling> doublings = done.stream().flatMap(harm -> harm.doublings.stream()).toList();
    System.out.printf(
        Locale.ROOT,
        "%d of %d doublings taken back: exposed %s, back after the alarm %s; at most %d requests of"
            + " a budget of %d%n",
        doublings.stream().filter(Doubling::isTakenBack).count(),
        doublings.size(),
        seconds(doublings.stream().mapToDouble(Doubling::exposedSeconds)),
        seconds(doublings.stream().mapToDouble(Doubling::backSeconds)),
        done.stream().mapToLong(Harm::requests).max().orElse(0),
        BUDGET);
    assertThat(doublings).isNotEmpty().allMatch(Doubling::isTakenBack);
    assertThat(done).allMatch(harm -> harm.requests <= BUDGET);
  }

  private static String seconds(DoubleStream all) {
    double[] sorted = all.filter(Double::isFinite).sorted().toArray();
    return sorted.length == 0
        ? "never"
        : Phrase.of(
            "%.2f s (median), %.2f s (longest)",
            sorted[sorted.length / 2], sorted[sorted.length - 1]);
  }

  private Harm study(int number) throws Exception {
    Path home = Files.createDirectories(directory.resolve("study-" + number));
    try (Lab lab = Lab.start(burning())) {
      LabSettings asFound = lab.settings();
      try (LoggingServer server =
          new LoggingServer(home.resolve("access.log"), () -> !lab.settings().equals(asFound))) {
        String design =
            "window: 16s, wash-out: 1s, at-most: {pairs: %d}, harm: {requests: %d}"
                .formatted(2 * OF_A_STUDY, BUDGET);
        Sweep sweep =
            LocalSweep.of(LabExperiment.read(experiment(lab, home, server.log(), design)))
                .begin(home.resolve("results"));
        sweep.execute();
        assertThat(lab.settings()).isEqualTo(asFound);
        List<TrialResult> results = sweep.run().results();
        assertThat(results)
            .filteredOn(result -> result.trial().profile().equals("as-found"))
            .noneMatch(result -> result.times().cut().isPresent());
        return new Harm(
            results.stream()
                .filter(result -> !result.trial().profile().equals("as-found"))
                .map(Doubling::of)
                .toList(),
            server.slowed());
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
                    experiment(
                        lab,
                        directory,
                        server.log(),
                        "window: 8s, wash-out: 1s, at-most: {pairs: 2}")),
                measuring(trial -> server.silence(true)));
        sweep.execute();
        assertThat(lab.settings()).isEqualTo(asFound);
        assertThat(sweep.run().results()).isNotEmpty().noneMatch(TrialResult::valid);
        assertThat(sweep.run().results().get(0).window().end()).isBefore(Instant.now());
      }
    }
  }
}
