package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.load.access.Site;
import io.slicewise.profile.Credit;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.StopRequest;
import io.slicewise.ssh.SshTestServer;
import io.slicewise.sweep.follow.Follower;
import io.slicewise.sweep.policy.Band;
import io.slicewise.sweep.policy.LoadMetric;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.PolicyFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Settings of a lab's host follow the requests in the log of a real nginx, and are as found at the
 * end, whatever ends it.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class FollowOnLabTest extends SweepsOnLab {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** Below 30 requests a second the weights found, above it the server has 512. */
  private static final Policy POLICY = policy(LoadMetric.REQUESTS, 30);

  static Policy policy(LoadMetric load, double edge) {
    return new Policy(
        "web",
        load,
        new Policy.Basis(Optional.of("127.0.0.1"), List.of("a-run")),
        new Policy.Pace(0.1, Duration.ofSeconds(8), Duration.ofSeconds(8)),
        List.of(
            new Band(0, edge, edge / 3, edge / 2, "as-found", Optional.empty()),
            new Band(edge, Double.POSITIVE_INFINITY, 50, 70, "w512", Optional.empty())),
        List.of(
            new SchedulerProfile(
                "w512",
                Optional.of(Scheduler.CREDIT),
                Map.of(),
                Map.of("Apache_Server", Credit.of(512, 0)))),
        "as-found",
        Optional.empty());
  }

  private Path experiment(Lab lab, SshTestServer server, Path log, String deadMan)
      throws IOException {
    Path file = LabExperiment.switchbackPair(lab, directory, "sessions: 1, blocks: 3, window: 4s");
    return Files.writeString(
        file,
        Files.readString(file)
            .replace("  user: root\n", "  user: root\n" + deadMan)
            .replace("workload: observe\n", TrafficOnLabTest.workload(server, log)));
  }

  private CompletableFuture<RunDirectory> follow(Policy policy, Experiment site) {
    Follower follower =
        new Follower(policy, site, stop, new Follower.Listener() {}, Clock.systemUTC());
    return CompletableFuture.supplyAsync(
        () ->
            follower.follow(directory.resolve("results"), SweepOptions.DEFAULT, Optional.empty()));
  }

  private static void awaitSettings(Lab lab, LabSettings wanted) {
    Awaitility.await().atMost(PATIENCE).until(() -> lab.settings().equals(wanted));
  }

  private static void awaitOther(Lab lab, LabSettings found) {
    Awaitility.await().atMost(PATIENCE).until(() -> !lab.settings().equals(found));
  }

  @Test
  void settingsFollowTheLoadAndAreRestored() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 10)) {
      LabSettings found = lab.settings();
      CompletableFuture<RunDirectory> following =
          follow(
              POLICY, LabExperiment.read(experiment(lab, server, site.log(), "  dead-man: 1m\n")));
      TimeUnit.SECONDS.sleep(12);
      assertThat(lab.settings()).as("at 10 requests a second").isEqualTo(found);
      site.arrive(60);
      awaitOther(lab, found);
      assertThat(lab.settings().of("Apache_Server")).isEqualTo(Credit.of(512, 0));
      site.arrive(10);
      awaitSettings(lab, found);
      site.arrive(60);
      awaitOther(lab, found);
      stop.askNow();
      RunDirectory run = following.get(1, TimeUnit.MINUTES);

      assertThat(lab.settings()).isEqualTo(found);
      assertThat(
              Files.readString(run.root().resolve("changes.csv"))
                  .lines()
                  .map(FollowOnLabTest::bands))
          .containsExactly(
              "from_band,to_band", ",as-found", "as-found,w512", "w512,as-found", "as-found,w512");
      assertThat(run.record().touched()).isEmpty();
    }
  }

  private static String bands(String line) {
    String[] cells = line.split(",", -1);
    return cells[2] + "," + cells[3];
  }

  @Test
  void sharesOfTimeAreALoad() throws Exception {
    Path keys = Files.createDirectories(directory.resolve("keys"));
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys)) {
      LabSettings found = lab.settings();
      Experiment site =
          LabExperiment.read(experiment(lab, server, directory.resolve("log"), "  dead-man: 1m\n"));
      Policy busy = policy(LoadMetric.parse("run share of Apache_Server"), 20);
      CompletableFuture<RunDirectory> following = follow(slow(busy), site);
      awaitOther(lab, found);
      stop.askNow();
      following.get(1, TimeUnit.MINUTES);
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  @Test
  void aGuestThatIsNotUpMakesTheHostNotReady() throws Exception {
    Path keys = Files.createDirectories(directory.resolve("keys"));
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys)) {
      LabSettings found = lab.settings();
      Experiment site =
          LabExperiment.read(experiment(lab, server, directory.resolve("log"), "  dead-man: 1m\n"));
      assertThatThrownBy(
              () -> follower(slow(policy(LoadMetric.parse("run share of shop"), 20)), site))
          .isInstanceOfSatisfying(
              SlicewiseException.class,
              fault -> assertThat(fault.errorKind()).isEqualTo(ErrorKind.NOT_READY))
          .hasMessageContaining("the run share of shop, which does not run on this host");
      assertThat(lab.settings()).isEqualTo(found);
    }
  }

  /** A listing of domains every 10 s needs a window of five. */
  private static Policy slow(Policy policy) {
    return new Policy(
        policy.name(),
        policy.load(),
        policy.basis(),
        new Policy.Pace(0.1, Duration.ofSeconds(10), Duration.ofSeconds(55)),
        policy.bands(),
        policy.profiles(),
        policy.fixed(),
        Optional.empty());
  }

  @Test
  void refusesAHostWithoutADeadMansSwitchAndAnotherHost() throws Exception {
    Path keys = Files.createDirectories(directory.resolve("keys"));
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys)) {
      Path log = Files.createFile(directory.resolve("log"));
      Experiment unsafe = LabExperiment.read(experiment(lab, server, log, ""));
      assertThatThrownBy(() -> follower(POLICY, unsafe))
          .hasMessage(
              "experiment watched has no dead man's switch, without which nothing is followed");
      Experiment site = LabExperiment.read(experiment(lab, server, log, "  dead-man: 1m\n"));
      Policy elsewhere =
          new Policy(
              "web",
              POLICY.load(),
              new Policy.Basis(Optional.of("other.example"), List.of("a-run")),
              POLICY.pace(),
              POLICY.bands(),
              POLICY.profiles(),
              "as-found",
              Optional.empty());
      assertThatThrownBy(() -> follower(elsewhere, site))
          .hasMessage("policy web was measured on other.example, and this is 127.0.0.1");
      assertThat(RunDirectory.below(directory.resolve("results"))).isEmpty();
    }
  }

  private RunDirectory follower(Policy policy, Experiment site) {
    return new Follower(
            policy,
            site,
            new StopRequest(Clock.systemUTC()),
            new Follower.Listener() {},
            Clock.systemUTC())
        .follow(directory.resolve("results"), SweepOptions.DEFAULT, Optional.of(Duration.ZERO));
  }

  @Test
  void killedAtAnyPointItIsRestoredByRestore() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    SplittableRandom random = new SplittableRandom(20261124);
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 60)) {
      LabSettings found = lab.settings();
      Path file = experiment(lab, server, site.log(), "  dead-man: 5m\n");
      int changed = 0;
      for (int kill = 0; kill < 6; kill++) {
        RunDirectory run = killed(file, 7_000 + random.nextInt(9_000));
        changed += lab.settings().equals(found) ? 0 : 1;
        HostRestore.restore(
            run, LabExperiment.read(run.experimentFile()), SweepOptions.DEFAULT, Clock.systemUTC());
        assertThat(lab.settings()).as("kill %s", kill).isEqualTo(found);
      }
      System.out.printf("killed %d of 6 with the host changed%n", changed);
      assertThat(changed).isPositive();
    }
  }

  @Test
  void killedItIsRestoredByTheDeadMan() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 60)) {
      LabSettings found = lab.settings();
      Process process = started(experiment(lab, server, site.log(), "  dead-man: 8s\n"));
      try {
        awaitOther(lab, found);
      } finally {
        process.destroyForcibly().waitFor();
      }
      awaitSettings(lab, found);
    }
  }

  private Process started(Path site) throws IOException {
    Path file = directory.resolve("policy.yaml");
    PolicyFile.write(file, POLICY);
    return SlicewiseProcess.start(
        directory,
        "follow",
        file.toString(),
        site.toString(),
        "--unproven",
        "--results",
        directory.resolve("results").toString());
  }

  private RunDirectory killed(Path site, long millis) throws Exception {
    Process process = started(site);
    try {
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return RunDirectory.newest(directory.resolve("results")).orElseThrow();
  }
}
