package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.FinishedTrials;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.SlicewiseProcess;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.load.spread.LabMachines;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.sweep.guard.SweepOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Protects hosts and measurements from a run that is killed with SIGKILL while JMeter loads a
 * server, from this machine or from two others, or after it has finished trials: every setting is
 * put back, no generator goes on, and the resumed run has every trial once.
 */
@KeepsTheMachineBusy
@Tag("nightly")
@Tag("thorough")
class KilledUnderLoadTest extends SweepsOnLab {
  private static final Path PAGE =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx");
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final int TRIALS = 2;
  private static final int POINTS = 30;

  /** The longest time after the start of a trial at which the run is killed. */
  private static final int LATEST_MILLIS = 7_000;

  /** How many kills are followed by a resume; all are followed by a restore. */
  private static final int RESUMED = 3;

  @Test
  void thirtyKillsWithJMeterOnThisMachine() throws Exception {
    killed(21, List.of());
  }

  @Test
  void thirtyKillsWithTwoGenerators() throws Exception {
    LabMachines.keepJars();
    try (LabMachine first = LabMachine.start(Files.createDirectories(directory.resolve("gen1")));
        LabMachine second = LabMachine.start(Files.createDirectories(directory.resolve("gen2")))) {
      killed(22, List.of(first, second));
    }
  }

  private void killed(long seed, List<LabMachine> generators) throws Exception {
    HttpServer server = serving();
    try (Lab lab = Lab.start(burning())) {
      Path file = loaded(lab, server, generators);
      Counts counts = new Counts();
      SplittableRandom random = new SplittableRandom(seed);
      for (int point = 0; point < POINTS; point++) {
        kill(lab, file, generators, random, point, counts);
      }
      System.out.printf("seed %d: %s%n", seed, counts);
      assertThat(counts.lost).as("trials lost").isZero();
      assertThat(counts.doubled).as("trials counted twice").isZero();
      assertThat(counts.left).as("settings left").isZero();
      assertThat(counts.running).as("generators still running").isZero();
      assertThat(counts.changed).as("kills while the host was changed").isPositive();
      assertThat(counts.loaded).as("kills while JMeter ran").isGreaterThan(POINTS / 4);
      assertThat(counts.finished).as("kills after a finished trial").isGreaterThan(POINTS / 4);
    } finally {
      server.stop(0);
    }
  }

  /** What was found over all kills. */
  private static final class Counts {
    private int kills;
    private int ended;
    private int changed;
    private int loaded;
    private int finished;
    private int resumed;
    private int lost;
    private int doubled;
    private int left;
    private int running;

    @Override
    public String toString() {
      return "%d kills (%d after the end), %d with the host changed, %d under load, %d after a finished trial, %d resumed; trials lost %d, counted twice %d, settings left %d, generators left %d"
          .formatted(
              kills, ended, changed, loaded, finished, resumed, lost, doubled, left, running);
    }
  }

  private void kill(
      Lab lab,
      Path file,
      List<LabMachine> generators,
      SplittableRandom random,
      int point,
      Counts counts)
      throws Exception {
    LabSettings asFound = lab.settings();
    Path results = directory.resolve("results" + point);
    int trial = 1 + random.nextInt(TRIALS);
    int millis = random.nextInt(LATEST_MILLIS);
    Process process =
        SlicewiseProcess.start(
            directory, "run", file.toString(), "--results", results.toString(), "--anyway");
    List<ProcessHandle> below;
    try {
      Awaitility.await()
          .atMost(PATIENCE)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> !process.isAlive() || started(results) >= trial);
      TimeUnit.MILLISECONDS.sleep(millis);
      below = generating(process, generators);
      counts.kills++;
      counts.ended += process.isAlive() ? 0 : 1;
    } finally {
      process.destroyForcibly().waitFor();
    }
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    List<Integer> before = FinishedTrials.of(run);
    counts.changed += lab.settings().equals(asFound) ? 0 : 1;
    counts.loaded += below.isEmpty() ? 0 : 1;
    counts.finished += before.isEmpty() ? 0 : 1;
    HostRestore.restore(run, LabExperiment.read(file), SweepOptions.DEFAULT, Clock.systemUTC());
    counts.left += lab.settings().equals(asFound) ? 0 : 1;
    counts.lost += before.size() - run.results().size();
    counts.running += endedInTime(below) ? 0 : 1;
    if (point % RESUMED == 0) {
      resume(run, before, counts);
      counts.left += lab.settings().equals(asFound) ? 0 : 1;
    }
  }

  private void resume(RunDirectory run, List<Integer> before, Counts counts) throws Exception {
    Process process =
        SlicewiseProcess.start(directory, "resume", run.root().toString(), "--anyway", "--plain");
    try {
      assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } finally {
      process.destroyForcibly().waitFor();
    }
    List<Integer> after = FinishedTrials.of(run);
    counts.resumed++;
    counts.doubled += after.size() - new LinkedHashSet<>(after).size();
    counts.lost += TRIALS - new LinkedHashSet<>(after).size();
    counts.lost += after.containsAll(before) ? 0 : 1;
    counts.lost += after.size() - run.results().size();
  }

  private static int started(Path results) {
    return RunDirectory.newest(results)
        .map(run -> (int) JournalEvent.of(run.events(), JournalEvent.TrialStarted.class).count())
        .orElse(0);
  }

  /** The JVMs that generate the load of a run, here or on the other machines. */
  private static List<ProcessHandle> generating(Process run, List<LabMachine> generators) {
    List<ProcessHandle> found = new ArrayList<>(run.descendants().toList());
    generators.forEach(machine -> found.addAll(machine.running()));
    return found;
  }

  private static boolean endedInTime(List<ProcessHandle> processes) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (processes.stream().anyMatch(ProcessHandle::isAlive) && System.nanoTime() < deadline) {
      Optional<ProcessHandle> first = processes.stream().filter(ProcessHandle::isAlive).findFirst();
      first.ifPresent(one -> one.onExit().completeOnTimeout(one, 1, TimeUnit.SECONDS).join());
    }
    return processes.stream().noneMatch(ProcessHandle::isAlive);
  }

  private Path loaded(Lab lab, HttpServer server, List<LabMachine> generators) throws Exception {
    Path file = LabExperiment.pair(lab, directory);
    StringBuilder machines = new StringBuilder();
    for (LabMachine machine : generators) {
      machines.append(
          "    - {address: '%s@127.0.0.1:%d', identity: %s, known-hosts: %s}\n"
              .formatted(
                  LabMachine.USER, machine.port(), machine.privateKey(), machine.knownHosts()));
    }
    return Files.writeString(
        file,
        Files.readString(file)
                .replace(
                    "workload: observe",
                    "workload: {name: plan, plan: %s, target: 'http://127.0.0.1:%d/'}\nusers: [2]"
                        .formatted(PAGE, server.getAddress().getPort()))
                .replace("warm-up: 0s", "warm-up: 1s")
                .replace(
                    "limits: {lab-lateness: 9s}",
                    "limits: {lab-lateness: 9s, errors: 50%, generator-cpu: 100%, other-work: 100%,"
                        + " generator-lateness: 9s, generator-gc: 100%, littles-law: 100%,"
                        + " repeat-invalid: 0}")
            + (generators.isEmpty() ? "" : "generators:\n  machines:\n" + machines));
  }

  private static HttpServer serving() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newFixedThreadPool(2));
    server.createContext(
        "/",
        exchange -> {
          byte[] page = "<html>page</html>".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
    return server;
  }
}
