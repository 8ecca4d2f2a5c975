package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.SlicewiseProcess;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.load.spread.CutRelay;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement;
import io.slicewise.ssh.SshTestServer;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.workload.counters.CountedSite;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Whatever happens to a study under a site's own traffic, a window that counts has every request
 * that its server answered, and the settings found are back at its end. Each study meets a fault
 * that chance chooses, at a time that chance chooses.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class TrafficFaultsTest extends SweepsOnLab {
  private static final int FAULTS = Integer.getInteger("slicewise.faults", 16);
  private static final long SEED = Long.getLong("slicewise.seed", 20261127);
  private static final int AT_ONCE = Integer.getInteger("slicewise.at-once", 3);

  /** One of them, to try it alone; empty for all in turn. */
  private static final String ALONE = System.getProperty("slicewise.fault", "");

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration HOST_PATIENCE = Duration.ofSeconds(3);

  /** The milliseconds to which a log is exact, twice: end and duration. */
  private static final double ROUNDED_MILLIS = 3;

  private static final String LATER =
      "#!/bin/sh\nexec /bin/date -d \"now + $(cat %s) seconds\" \"$@\"\n";

  private enum Fault {
    KILLED,
    HOST_CUT,
    LOG_CUT,
    SILENT,
    ROTATED,
    TRUNCATED,
    HALF_LINE,
    RESTARTED,
    CLOCK_SET,
    METRICS_AWAY(CountedSite.Trouble.AWAY),
    METRICS_MUTE(CountedSite.Trouble.MUTE),
    METRICS_HALF(CountedSite.Trouble.HALF),
    METRICS_BROKEN(CountedSite.Trouble.BROKEN),
    METRICS_EMPTY(CountedSite.Trouble.EMPTY),
    METRICS_RESET(CountedSite.Trouble.NONE),
    METRICS_CLOCK_SET(CountedSite.Trouble.NONE);

    /** That of a metrics server; empty for an access log. */
    private final Optional<CountedSite.Trouble> trouble;

    Fault() {
      trouble = Optional.empty();
    }

    Fault(CountedSite.Trouble trouble) {
      this.trouble = Optional.of(trouble);
    }
  }

  /** What became of the studies of a fault. */
  private static final class Tally {
    int studies;
    int windows;
    int counted;
    long requests;
    final List<Double> back = new ArrayList<>();
    final Set<String> reasons = new TreeSet<>();

    @Override
    public String toString() {
      double[] seconds = back.stream().mapToDouble(Double::doubleValue).sorted().toArray();
      return Phrase.of(
          "%d studies, as found %.2f s (median), %.2f s (longest) after their ends, %d of %d windows"
              + " count, with %d requests; others: %s",
          studies,
          seconds[seconds.length / 2],
          seconds[seconds.length - 1],
          counted,
          windows,
          requests,
          reasons);
    }
  }

  /** What happens to a study. */
  private interface Strike {
    void run() throws IOException, InterruptedException;
  }

  private final Map<Fault, Tally> tallies = new EnumMap<>(Fault.class);

  @Test
  void noFaultMakesAWindowThatLacksRequestsOrKeepsACandidateInForce() throws Exception {
    ExecutorService studies = Executors.newFixedThreadPool(AT_ONCE);
    try {
      List<Callable<String>> all =
          IntStream.range(0, FAULTS)
              .<Callable<String>>mapToObj(number -> () -> new Study(number).run())
              .toList();
      for (Future<String> one : studies.invokeAll(all)) {
        assertThat(one.get()).isEmpty();
      }
    } finally {
      studies.shutdownNow();
      tallies.forEach((fault, its) -> System.out.println(fault + ": " + its));
    }
    assertThat(tallies.values().stream().mapToInt(its -> its.counted).sum()).isPositive();
    if (tallies.containsKey(Fault.TRUNCATED)) {
      Tally truncated = tallies.get(Fault.TRUNCATED);
      assertThat(truncated.counted).isLessThan(truncated.windows);
    }
  }

  /** A study with a lab, a site and networks of its own. */
  private final class Study {
    private final Random random;
    private final Fault fault;
    private final int number;
    private final Path home;
    private final Path clock;

    Study(int number) throws IOException {
      this.number = number;
      random = new Random(SEED + number);
      // Each fault as often as any other; chance chooses when it strikes, and how long.
      List<Fault> all = List.copyOf(EnumSet.allOf(Fault.class));
      fault =
          ALONE.isEmpty() ? all.get((int) ((SEED + number) % all.size())) : Fault.valueOf(ALONE);
      home = Files.createDirectories(directory.resolve("study-" + number));
      clock = Files.writeString(home.resolve("ahead"), "0");
    }

    /** Returns what is wrong; empty if nothing is. */
    String run() throws Exception {
      return fault.trouble.isPresent() ? counted(fault.trouble.get()) : logged();
    }

    /** A study by the counters of a metrics server. */
    private String counted(CountedSite.Trouble trouble) throws Exception {
      try (Lab lab = Lab.start(burning());
          CountedSite site = new CountedSite()) {
        LabSettings asFound = lab.settings();
        pause(3); // of samples
        Path file = experiment(lab, site.workload(), ", harm: {time: 10m}");
        RunDirectory run =
            struck(
                file,
                () -> {
                  if (fault == Fault.METRICS_RESET) {
                    site.reset();
                  } else if (fault == Fault.METRICS_CLOCK_SET) {
                    site.set((double) step());
                  }
                  site.trouble(trouble);
                  pause(between(0.2, 8));
                  site.trouble(CountedSite.Trouble.NONE);
                  site.set(0);
                });
        backAgain(run, file, lab, asFound);
        return judged(run, result -> differing(result, site));
      }
    }

    private String differing(TrialResult result, CountedSite site) {
      double mean = new OutcomeMetric("mean").value(result.measures());
      assertThat(mean).isCloseTo(CountedSite.WAIT_SECONDS, within(1e-6));
      double rate = new OutcomeMetric("rate").value(result.measures());
      return site.wrong(result.window(), rate).map(how -> wrong(result, how)).orElse("");
    }

    private String wrong(TrialResult result, String how) {
      return "study %d, %s: window %s has %s; %n"
          .formatted(number, fault, result.trial().slug(), how);
    }

    private String logged() throws Exception {
      Path keys = Files.createDirectories(home.resolve("keys"));
      try (Lab lab = Lab.start(burning());
          SshTestServer ssh = SshTestServer.start(keys);
          CutRelay toHost = relay(lab.sshPort(), lab.knownHosts());
          CutRelay toLog =
              relay(ssh.connection().login().port().orElseThrow(), keys.resolve("known_hosts"));
          LoggingServer server = new LoggingServer(home.resolve("access.log"), () -> false)) {
        ssh.withTools(tools());
        LabSettings asFound = lab.settings();
        String port = "port: " + ssh.connection().login().port().orElseThrow();
        Path direct =
            experiment(
                lab,
                TrafficOnLabTest.workload(ssh, server.log()).replace(port, "port: " + toLog.port()),
                "");
        Path file = home.resolve("relayed.yaml");
        Files.writeString(
            file,
            Files.readString(direct)
                .replace("port: " + lab.sshPort() + "\n", "port: " + toHost.port() + "\n"));
        RunDirectory run =
            fault == Fault.KILLED
                ? killed(file)
                : struck(file, () -> strike(server, toHost, toLog));
        backAgain(run, direct, lab, asFound);
        return judged(run, result -> lacking(result, server));
      }
    }

    private CutRelay relay(int port, Path knownHosts) throws IOException {
      CutRelay relay = new CutRelay(port);
      Files.writeString(
          knownHosts,
          Files.readString(knownHosts).replace("]:" + port, "]:" + relay.port()),
          StandardOpenOption.APPEND);
      return relay;
    }

    /** Lets the log's machine show another time than this one. */
    private Path tools() throws IOException {
      Path tools = Files.createDirectories(home.resolve("tools"));
      Path date = Files.writeString(tools.resolve("date"), LATER.formatted(clock));
      assertThat(date.toFile().setExecutable(true)).isTrue();
      return tools;
    }

    private Path experiment(Lab lab, String workload, String design) throws IOException {
      Path file =
          LabExperiment.pairs(
              lab, home, "window: 3s, wash-out: 500ms, at-most: {pairs: 3, time: 3m}" + design);
      return Files.writeString(
          file,
          Files.readString(file)
              .replace("  user: root\n", "  user: root\n  dead-man: 5s\n")
              .replaceAll("(?m)^goal: highest run share.*\n", "")
              .replace("warm-up: 0s", "warm-up: 1s")
              .replace("workload: observe\n", workload));
    }

    private double between(double least, double most) {
      return least + (most - least) * random.nextDouble();
    }

    /** The seconds by which a clock is set. */
    private long step() {
      return Math.round((random.nextBoolean() ? 1 : -1) * between(2, 150));
    }

    private void pause(double seconds) throws InterruptedException {
      TimeUnit.MILLISECONDS.sleep(Math.round(1e3 * seconds));
    }

    private RunDirectory killed(Path file) throws Exception {
      Path results = home.resolve("results");
      Process process =
          SlicewiseProcess.start(
              home, "run", file.toString(), "--anyway", "--results", results.toString());
      try {
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> !process.isAlive() || RunDirectory.newest(results).isPresent());
        pause(between(1, 28));
      } finally {
        process.destroyForcibly().waitFor();
      }
      return RunDirectory.newest(results).orElseThrow();
    }

    private RunDirectory struck(Path file, Strike strike) throws Exception {
      Sweep sweep =
          LocalSweep.of(LabExperiment.read(file))
              .with(new SweepOptions(false, HOST_PATIENCE))
              .begin(home.resolve("results"));
      Thread striking =
          new Thread(
              () -> {
                try {
                  pause(between(4, 24));
                  strike.run();
                } catch (IOException | InterruptedException fault) {
                  throw new IllegalStateException(fault);
                }
              },
              "fault");
      striking.start();
      sweep.execute();
      striking.join();
      return sweep.run();
    }

    private void strike(LoggingServer server, CutRelay toHost, CutRelay toLog)
        throws IOException, InterruptedException {
      switch (fault) {
        default -> throw new IllegalStateException(fault + " strikes elsewhere");
        case HOST_CUT -> cut(toHost, between(0.2, 8));
        case LOG_CUT -> cut(toLog, between(0.2, 8));
        case SILENT -> {
          server.silence(true);
          pause(between(3.2, 8));
          server.silence(false);
        }
        case ROTATED -> server.rotate();
        case TRUNCATED -> server.truncate();
        case HALF_LINE -> server.halfLine(Duration.ofMillis(Math.round(between(100, 4000))));
        case RESTARTED -> {
          server.crash();
          pause(between(0.5, 5));
          server.restart();
        }
        case CLOCK_SET -> {
          long step = step();
          Files.writeString(clock, Long.toString(step));
          server.set(Duration.ofSeconds(step));
        }
      }
    }

    private void cut(CutRelay relay, double seconds) throws IOException, InterruptedException {
      relay.cut();
      pause(seconds);
      relay.mend();
    }

    /** The host has its settings, by the run's own end, by the host's switch, or by restore. */
    private void backAgain(RunDirectory run, Path direct, Lab lab, LabSettings asFound) {
      Instant ended = Instant.now();
      if (!lab.settings().equals(asFound) && random.nextBoolean()) {
        Experiment experiment = LabExperiment.read(direct);
        HostRestore.restore(run, experiment, new SweepOptions(true, PATIENCE), Clock.systemUTC());
        assertThat(lab.settings()).as("%s, study %d", fault, number).isEqualTo(asFound);
      }
      Awaitility.await("%s, study %d".formatted(fault, number))
          .atMost(PATIENCE)
          .until(() -> lab.settings().equals(asFound));
      synchronized (tallies) {
        tally().back.add(new Window(ended, Instant.now()).seconds());
      }
    }

    private Tally tally() {
      return tallies.computeIfAbsent(fault, any -> new Tally());
    }

    private String judged(RunDirectory run, Function<TrialResult, String> wrongIn) {
      List<TrialResult> results = run.results();
      StringBuilder wrong = new StringBuilder();
      synchronized (tallies) {
        Tally tally = tally();
        tally.studies++;
        tally.windows += results.size();
        for (TrialResult result : results) {
          if (result.valid()) {
            tally.counted++;
            tally.requests += result.load().map(LoadResult::samples).orElse(0L);
            wrong.append(wrongIn.apply(result));
          } else {
            List<String> reasons = new Judgement(result.findings()).reasons();
            assertThat(reasons).as("%s, study %d", fault, number).isNotEmpty();
            // Reasons that differ in their numbers alone are one.
            reasons.forEach(why -> tally.reasons.add(why.replaceAll("[0-9.]+", "#")));
          }
        }
      }
      return wrong.toString();
    }

    /** Returns how the requests of a window differ from those that were answered, if they do. */
    private String lacking(TrialResult result, LoggingServer server) {
      Window window = result.window();
      double unread = new OutcomeMetric("not-understood").value(result.measures());
      double bound = new OutcomeMetric("clock-bound").value(result.measures());
      Duration border = Duration.ofNanos(Math.round(1e6 * (bound + ROUNDED_MILLIS)));
      long least = server.began(inner(window, border));
      long most = server.began(outer(window, border));
      long seen = result.load().orElseThrow().samples();
      return seen + unread >= least && seen <= most
          ? ""
          : wrong(result, "%d requests, %d to %d began in it".formatted(seen, least, most));
    }

    private Window inner(Window window, Duration border) {
      Instant start = window.start().plus(border);
      Instant end = window.end().minus(border);
      return new Window(start, end.isBefore(start) ? start : end);
    }

    private Window outer(Window window, Duration border) {
      return new Window(window.start().minus(border), window.end().plus(border));
    }
  }
}
