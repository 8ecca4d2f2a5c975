package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.lab.Lab;
import io.slicewise.load.access.Site;
import io.slicewise.load.access.Users;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.SshTestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * What the users of a real nginx experienced is read over SSH in every window of a session, as they
 * themselves and the log say.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
class TrafficOnLabTest extends SweepsOnLab {
  private static final Duration BORDER = Duration.ofMillis(40);

  private static final String WORKLOAD =
      """
      workload:
        name: traffic
        log:
          path: %s
          format: nginx
          machine: 127.0.0.1
          user: root
          port: %d
          identity: %s
          known-hosts: %s
        labels: {pages: /page/*}
      goal: lowest mean
      """;

  private static boolean nearBorder(Window window, Instant time) {
    return Stream.of(window.start(), window.end())
        .anyMatch(border -> Duration.between(border, time).abs().compareTo(BORDER) < 0);
  }

  static String workload(SshTestServer server, Path log) {
    return WORKLOAD.formatted(
        log,
        server.connection().login().port().orElseThrow(),
        server.connection().login().identity().orElseThrow(),
        server.connection().login().knownHosts().orElseThrow());
  }

  private Path experiment(Lab lab, SshTestServer server, Path log) throws IOException {
    Path file = LabExperiment.switchbackPair(lab, directory, "sessions: 1, blocks: 3, window: 4s");
    return Files.writeString(
        file, Files.readString(file).replace("workload: observe\n", workload(server, log)));
  }

  @Test
  void readsEveryWindowOfASessionAsItsUsersSawIt() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    ScheduledExecutorService rotations = Executors.newSingleThreadScheduledExecutor();
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 60)) {
      ScheduledFuture<?> unused =
          rotations.scheduleAtFixedRate(site::rotate, 5, 5, TimeUnit.SECONDS);
      Sweep sweep = sweep(LabExperiment.read(experiment(lab, server, site.log())));
      sweep.execute();
      rotations.shutdownNow();
      List<TrialResult> results = sweep.run().results();

      assertThat(results).hasSize(6).allMatch(TrialResult::valid);
      results.forEach(result -> assertAsSeen(result, site.visits()));
    } finally {
      rotations.shutdownNow();
    }
  }

  private static void assertAsSeen(TrialResult result, List<Users.Visit> visits) {
    LoadResult load = result.load().orElseThrow();
    List<Users.Visit> within =
        visits.stream().filter(visit -> result.window().contains(visit.sent())).toList();
    long doubtful =
        visits.stream().filter(visit -> nearBorder(result.window(), visit.sent())).count();
    assertThat(load.samples()).isBetween(within.size() - doubtful, within.size() + doubtful);
    double[] millis =
        within.stream()
            .mapToDouble(visit -> Duration.between(visit.sent(), visit.answered()).toNanos() / 1e6)
            .sorted()
            .toArray();
    // The users waited for their own machine, too.
    assertThat(load.meanMillis()).isBetween(1.0, Arrays.stream(millis).average().orElseThrow());
    assertThat(load.throughput())
        .isEqualTo(load.samples() / result.window().seconds(), Offset.offset(1e-9));
    assertThat(load.labels()).extracting(LoadResult::label).contains("pages");
    assertThat(new OutcomeMetric("geometric-mean").value(result.measures()))
        .isBetween(1.0, load.meanMillis());
    assertThat(new OutcomeMetric("clock-bound").value(result.measures())).isLessThan(500);
  }

  @Test
  void decidesByPairsUnderItsUsers() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    try (Lab lab = Lab.start(burning().withXenmon(true));
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 60)) {
      Path file =
          LabExperiment.pairs(
              lab, directory, "window: 4s, wash-out: 2s, at-most: {pairs: 2}, observe: true");
      Files.writeString(
          file,
          Files.readString(file)
              .replace("  user: root\n", "  user: root\n  dead-man: 1m\n")
              .replaceAll("(?m)^goal: highest run share.*\n", "")
              .replace("workload: observe\n", workload(server, site.log())));
      Sweep sweep = sweep(LabExperiment.read(file));
      sweep.execute();
      List<TrialResult> results = sweep.run().results();

      assertThat(results).hasSize(4).allMatch(TrialResult::valid);
      results.forEach(result -> assertAsSeen(result, site.visits()));
    }
  }
}
