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
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.policy.LoadMetric;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
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

  /** While the load alternates, so that kills also strike the changes themselves. */
  @Test
  void killedTwentyTimesWithTheHostChangedItIsRestored() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    SplittableRandom random = new SplittableRandom(20261127);
    ScheduledExecutorService waves = Executors.newSingleThreadScheduledExecutor();
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 60)) {
      var unused =
          waves.scheduleAtFixedRate(
              () -> site.arrive(System.nanoTime() / 12_000_000_000L % 2 == 0 ? 60 : 10),
              0,
              1,
              TimeUnit.SECONDS);
      LabSettings found = lab.settings();
      Path file = experiment(lab, server, site.log(), "  dead-man: 20s\n");
      int kills = 0;
      int changed = 0;
      int byDeadMan = 0;
      while (changed < 20 && kills < 40) {
        RunDirectory run = killed(file, lab, found, random.nextInt(6_000));
        kills++;
        if (!lab.settings().equals(found)) {
          changed++;
          if (changed % 5 == 0) {
            byDeadMan++;
            awaitSettings(lab, found);
          }
        }
        HostRestore.restore(
            run, LabExperiment.read(run.experimentFile()), SweepOptions.DEFAULT, Clock.systemUTC());
        assertThat(lab.settings()).as("kill %s", kills).isEqualTo(found);
      }
      System.out.printf(
          "%d kills, %d with the host changed, of these %d restored by the dead man's switch%n",
          kills, changed, byDeadMan);
      assertThat(changed).isEqualTo(20);
    } finally {
      waves.shutdownNow();
    }
  }

  @Test
  void usesLittleOfTheCpu() throws Exception {
    assumeTrue(Site.canBeBuilt(), "nginx is not installed");
    Path keys = Files.createDirectories(directory.resolve("keys"));
    int minutes = Integer.getInteger("slicewise.follow-minutes", 1);
    try (Lab lab = Lab.start(burning());
        SshTestServer server = SshTestServer.start(keys);
        Site site = Site.open(directory.resolve("site"), 60)) {
      LabSettings found = lab.settings();
      Process process = started(experiment(lab, server, site.log(), "  dead-man: 1m\n"));
      try {
        awaitOther(lab, found);
        Duration before = process.info().totalCpuDuration().orElseThrow();
        TimeUnit.MINUTES.sleep(minutes);
        Duration used = process.info().totalCpuDuration().orElseThrow().minus(before);
        System.out.printf(
            "%d ms of CPU per minute over %d min%n", used.dividedBy(minutes).toMillis(), minutes);
        assertThat(used.dividedBy(minutes)).isLessThan(Duration.ofSeconds(6));
      } finally {
        process.destroy();
        process.waitFor();
      }
      assertThat(lab.settings()).isEqualTo(found);
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

  /** Kills it so many milliseconds after its first change. */
  private RunDirectory killed(Path site, Lab lab, LabSettings found, long millis) throws Exception {
    Process process = started(site);
    try {
      awaitOther(lab, found);
      TimeUnit.MILLISECONDS.sleep(millis);
    } finally {
      process.destroyForcibly().waitFor();
    }
    return RunDirectory.newest(directory.resolve("results")).orElseThrow();
  }
}
