package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.FinishedTrials;
import io.slicewise.SlicewiseProcess;
import io.slicewise.cli.Main;
import io.slicewise.host.groups.RealGroups;
import io.slicewise.profile.Fair;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.run.RunDirectory;
import io.slicewise.sweep.deadman.HostSwitch;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.policy.LoadMetric;
import io.slicewise.sweep.policy.Policy;
import io.slicewise.sweep.policy.Policy.Band;
import io.slicewise.sweep.policy.PolicyFile;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * Commands of every kind on real control groups of this machine that are killed with SIGKILL, what
 * another administrator does to the groups afterwards, and what makes the host as it was. Every
 * command is a process of its own with a mark in its environment, by which whatever it left running
 * is found.
 */
abstract class KilledStudies {
  /** Names that no other process of this machine gives to a group. */
  static final String WEB = "killed-" + ProcessHandle.current().pid();

  static final String BESIDE = "beside-" + ProcessHandle.current().pid();
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** How long a command may take to a moment; one with fewer lines is killed then. */
  private static final Duration MOMENT = Duration.ofSeconds(30);

  private static final String MARK = "SLICEWISE_KILLED";

  private static final String HEAD =
      """
      name: killed
      host: {local: true, hypervisor: groups%s}
      domains: {main: [GROUP, BESIDE]}
      baseline: as-found
      ramp: 0s
      seed: 7
      limits: {lab-lateness: 9s, errors: 50%%, generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s,
        generator-gc: 100%%, littles-law: 100%%, repeat-invalid: 0}
      """;
  private static final String PROFILES =
      """
      profiles:
        - as-found
        - {name: light, scheduler: fair, domains: {GROUP: {shares: 300, cap: 50%}, BESIDE: {idle: true}}}
      """;
  private static final String PINNED =
      "  - {name: pinned, scheduler: fair, domains: {GROUP: {cap: 25%, cpus: \"0\"}}}\n";
  private static final String COMBINED =
      """
      profiles:
        - as-found
        - factors:
            scheduler: fair
            domains: {GROUP: {shares: [300, 600], cap: [50%, 75%]}, BESIDE: {idle: true}}
      """;
  private static final String WATCHED =
      "workload: observe\nrepetitions: 1\nwarm-up: 0s\nmeasure: 1s\ncool-down: 0s\n";
  private static final String TRAFFIC =
      """
      workload: {name: traffic, at-least: 1, log: {path: LOG, format: nginx, machine: local}}
      goal: lowest mean
      warm-up: 1s
      """;
  private static final String TILE =
      "    - {name: %1$s, users: 1, goal: p95 < 400ms, workload: {name: web-app, target: 'http://127.0.0.1:PORT/'}}\n";
  private static final String TILED =
      "workload:\n  name: tiles\n  tiles:\n"
          + TILE.formatted(WEB)
          + TILE.formatted(BESIDE)
          + "repetitions: 1\nwarm-up: 1s\nmeasure: 2s\ncool-down: 0s\n";

  /** What is killed. */
  enum Kind {
    TRIALS(24, PROFILES + PINNED + WATCHED),
    FACTORS(28, COMBINED + WATCHED),
    SESSION(
        24,
        PROFILES
            + "workload: observe\nwarm-up: 0s\n"
            + "design: {kind: switchback, sessions: 1, blocks: 2, window: 1s, wash-out: 1s}\n"),
    TRAFFIC_SESSION(
        24,
        PROFILES
            + TRAFFIC
            + "design: {kind: switchback, sessions: 1, blocks: 2, window: 2s, wash-out: 1s}\n"),
    PAIRS(
        26,
        PROFILES
            + TRAFFIC
            + "design: {kind: pairs, window: 2s, wash-out: 1s, at-most: {pairs: 3, time: 1h}}\n"),
    TILES(14, PROFILES + TILED + "goal: worst p95\n"),
    CONSOLIDATION(14, PROFILES + TILED + "guests: 1..2\norder: edge\n"),
    FOLLOW(8, PROFILES + TRAFFIC + "measure: 1s\n"),
    APPLY(6, PROFILES + WATCHED);

    private final int lines;
    private final String text;

    /**
     * @param lines about as many as its journal has in the end
     */
    Kind(int lines, String text) {
      this.lines = lines;
      this.text = text;
    }

    /** Whether what is left of it can go on. */
    boolean resumes() {
      return this != FOLLOW && this != APPLY;
    }
  }

  /** What makes the host as it was. */
  enum Restorer {
    RESTORE,
    RESUME,
    KILLED_RESTORE,
    KILLED_RESUME,
    TWO_AT_ONCE,
    DEAD_MAN
  }

  /** What another administrator does after the kill. */
  enum Meddler {
    NOBODY,
    SETS_A_VALUE,
    MAKES_THE_GROUP_ANEW,
    MOVES_A_PROCESS
  }

  @TempDir Path directory;
  RealGroups groups;
  private final String mark = UUID.randomUUID().toString();
  private Optional<HttpServer> server = Optional.empty();
  private Optional<ScheduledExecutorService> users = Optional.empty();
  private final List<Integer> exits = new ArrayList<>();
  private final List<Path> switches = new ArrayList<>();
  private Optional<Path> last = Optional.empty();
  private int kills;

  @BeforeEach
  final void start() throws IOException {
    assumeTrue(Files.isWritable(Path.of("/var/run")), "the lock on a host lies in /var/run");
    groups = RealGroups.with(WEB, BESIDE);
    switches.addAll(below(Path.of(HostSwitch.HOME)));
  }

  @AfterEach
  final void end() {
    server.ifPresent(one -> one.stop(0));
    server = Optional.empty();
    users.ifPresent(ScheduledExecutorService::shutdownNow);
    users = Optional.empty();
    if (groups != null) {
      groups.close();
    }
  }

  /** Returns how many processes were killed so far. */
  final int kills() {
    return kills;
  }

  private Path experiment(Kind kind, boolean armed) throws IOException {
    boolean live = kind == Kind.FOLLOW || kind == Kind.PAIRS;
    String text =
        HEAD.formatted(armed ? ", dead-man: 5s" : live ? ", dead-man: 1m" : "") + kind.text;
    text = text.replace("GROUP", WEB).replace("BESIDE", BESIDE);
    if (text.contains("LOG")) {
      text = text.replace("LOG", visited().toString());
    }
    if (text.contains("PORT")) {
      text = text.replace("PORT", Integer.toString(served()));
    }
    return Files.writeString(directory.resolve(kind + (armed ? "-armed" : "") + ".yaml"), text);
  }

  /** Returns a log in the recommended format of nginx, to which 50 lines a second are appended. */
  private Path visited() {
    Path log = directory.resolve("access.log");
    if (users.isEmpty()) {
      users = Optional.of(Executors.newSingleThreadScheduledExecutor());
      users.get().scheduleAtFixedRate(() -> visit(log), 0, 20, TimeUnit.MILLISECONDS).isDone();
    }
    return log;
  }

  private static void visit(Path log) {
    try {
      Files.writeString(
          log,
          "%.3f 0.012 0.011 200 GET site.example 512 \"/page\"%n"
              .formatted(Instant.now().toEpochMilli() / 1e3),
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private int served() throws IOException {
    if (server.isEmpty()) {
      HttpServer made =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
      made.createContext(
          "/",
          exchange -> {
            byte[] page = "<html>Signed in as user1.</html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
          });
      made.start();
      server = Optional.of(made);
    }
    return server.get().getAddress().getPort();
  }

  /** A profile for any load beyond one request a second, which the log always has. */
  private Path policy() throws IOException {
    Policy policy =
        new Policy(
            "site",
            LoadMetric.parse("requests/s"),
            new Policy.Basis(Optional.of("localhost"), List.of("a-run")),
            new Policy.Pace(0.1, Duration.ofSeconds(5), Duration.ofSeconds(5)),
            List.of(
                new Band(0, 5, 1, 2, "as-found", Optional.empty()),
                new Band(5, Double.POSITIVE_INFINITY, 10, 70, "light", Optional.empty())),
            List.of(
                new SchedulerProfile(
                    "light",
                    Optional.of(Scheduler.FAIR),
                    Map.of(),
                    Map.of(
                        WEB, SchedulerParameters.defaults(Scheduler.FAIR).with(Fair.SHARES, 300)))),
            "as-found",
            Optional.empty());
    return Files.writeString(directory.resolve("policy.yaml"), PolicyFile.text(policy));
  }

  private Process begin(String... arguments) throws IOException {
    ProcessBuilder words = SlicewiseProcess.of(Main.class, directory, arguments);
    words.environment().put(MARK, mark);
    return words
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("run.log").toFile()))
        .start();
  }

  private int command(String... arguments) throws Exception {
    Process process = begin(arguments);
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError(String.join(" ", arguments) + " does not end: " + log());
    }
    exits.add(process.exitValue());
    return process.exitValue();
  }

  final String log() throws IOException {
    return Files.readString(directory.resolve("run.log"));
  }

  private boolean kill(Process process) throws InterruptedException {
    boolean alive = process.isAlive();
    process.destroyForcibly().waitFor();
    kills += alive ? 1 : 0;
    return alive;
  }

  private String found() {
    return groups.settings(WEB) + "; " + groups.settings(BESIDE);
  }

  /**
   * Kills a command some time after its journal has that many lines, lets the other administrator
   * act, and restores the host.
   *
   * @return what was found, as a line of a table
   */
  final String killed(Kind kind, Restorer by, Meddler meddler, long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    Files.writeString(directory.resolve("run.log"), "");
    exits.clear();
    String found = found();
    Path results = Files.createTempDirectory(directory, "results");
    Path file = experiment(kind, by == Restorer.DEAD_MAN);
    Process process = begin(kind, file, results);
    int lines = 3 + random.nextInt(kind.lines - 3);
    boolean killed;
    try {
      Awaitility.await()
          .atMost(MOMENT)
          .pollInterval(Duration.ofMillis(2))
          .until(() -> !process.isAlive() || lines(kind, results) >= lines);
      TimeUnit.MILLISECONDS.sleep(random.nextInt(600));
    } catch (ConditionTimeoutException fewer) {
      assertThat(lines(kind, results)).as(log()).isLessThan(lines);
    } finally {
      killed = kill(process);
    }
    Path root = root(kind, results).orElseThrow(() -> new AssertionError(quietLog()));
    last = Optional.of(root);
    RunDirectory run = RunDirectory.open(root);
    List<Integer> before = FinishedTrials.of(run);
    boolean changed = !found().equals(found);
    String wanted = meddle(meddler, found);
    String row = "%s %s %s %s".formatted(kind, by, meddler, killed ? "killed" : "ended");
    restored(kind, changed || by != Restorer.DEAD_MAN ? by : Restorer.RESTORE, root, random);
    assertThat(found()).as(row + ": " + log()).isEqualTo(wanted);
    if (by != Restorer.DEAD_MAN || command("restore", root.toString()) >= 0) {
      assertThat(run.record().touched()).as(row + ": " + log()).isEmpty();
    }
    List<Integer> after = FinishedTrials.of(run);
    assertThat(after).as(row).doesNotHaveDuplicates();
    assertThat(after.subList(0, before.size())).as(row).isEqualTo(before);
    assertThat(run.results()).as(row).hasSize(new LinkedHashSet<>(after).size());
    assertNothingLeft(row);
    return "%s %s, %d lines, %d trials, then %d, exits %s"
        .formatted(
            row, changed ? "changed" : "unchanged", lines, before.size(), after.size(), exits);
  }

  /** Restores the host after a fault, so that what follows does not meet its lock. */
  final void recover() throws Exception {
    if (last.isPresent()) {
      command("restore", last.get().toString());
    }
    end();
    start();
  }

  private Process begin(Kind kind, Path file, Path results) throws Exception {
    String at = results.toString();
    return switch (kind) {
      case FOLLOW ->
          begin("follow", policy().toString(), file.toString(), "--unproven", "--results", at);
      case APPLY -> {
        assertThat(command("run", file.toString(), "--results", at, "--plain")).as(log()).isZero();
        yield begin(
            "apply",
            RunDirectory.newest(results).orElseThrow().root().toString(),
            "--profile",
            "light",
            "--yes");
      }
      case CONSOLIDATION ->
          begin("study", "consolidation", file.toString(), "--results", at, "--anyway");
      default -> begin("run", file.toString(), "--results", at, "--anyway", "--plain");
    };
  }

  /** The directory with the journal of what is killed. */
  private static Optional<Path> root(Kind kind, Path results) {
    Optional<Path> run = RunDirectory.newest(results).map(RunDirectory::root);
    return kind == Kind.APPLY ? run.flatMap(one -> HostApply.below(one).stream().findFirst()) : run;
  }

  private static int lines(Kind kind, Path results) {
    return root(kind, results)
        .map(run -> run.resolve("journal.jsonl"))
        .filter(Files::exists)
        .map(
            file -> {
              try {
                return (int) Files.readString(file).chars().filter(c -> c == '\n').count();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            })
        .orElse(0);
  }

  private String quietLog() {
    try {
      return log();
    } catch (IOException e) {
      return e.toString();
    }
  }

  /** Returns the settings that the host has to have in the end. */
  private String meddle(Meddler meddler, String found) throws IOException {
    switch (meddler) {
      case SETS_A_VALUE -> {
        groups.write(WEB, groups.second() ? "cpu.weight" : "cpu.shares", "444");
        return "444" + found.substring(found.indexOf(' '));
      }
      case MAKES_THE_GROUP_ANEW -> {
        groups.remove(WEB);
        groups.make(WEB);
        return groups.settings(WEB) + found.substring(found.indexOf("; "));
      }
      case MOVES_A_PROCESS -> groups.swap(WEB, BESIDE);
      case NOBODY -> {}
    }
    return found;
  }

  private void restored(Kind kind, Restorer by, Path root, SplittableRandom random)
      throws Exception {
    String run = root.toString();
    String[] goesOn =
        kind.resumes()
            ? new String[] {"resume", run, "--anyway", "--plain"}
            : new String[] {"restore", run};
    switch (by) {
      case RESTORE -> command("restore", run);
      case RESUME -> command(goesOn);
      case KILLED_RESTORE -> {
        killSoon(begin("restore", run), random);
        command("restore", run);
      }
      case KILLED_RESUME -> {
        killSoon(begin(goesOn), random);
        command(goesOn);
      }
      case TWO_AT_ONCE -> {
        Process other = begin("restore", run);
        command(goesOn);
        assertThat(other.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        command("restore", run);
      }
      case DEAD_MAN ->
          Awaitility.await("the dead man's switch")
              .atMost(PATIENCE)
              .until(() -> !Files.exists(Path.of(HostLock.LINK), LinkOption.NOFOLLOW_LINKS));
    }
  }

  private void killSoon(Process process, SplittableRandom random) throws InterruptedException {
    process.waitFor(300 + random.nextInt(2_500), TimeUnit.MILLISECONDS);
    kill(process);
  }

  private void assertNothingLeft(String row) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              assertThat(running()).as(row + ": processes").isEmpty();
              assertThat(Path.of(HostLock.LINK)).as(row).doesNotExist();
              assertThat(below(Path.of(HostSwitch.HOME)))
                  .as(row + ": switches")
                  .isSubsetOf(switches);
            });
  }

  private static List<Path> below(Path home) throws IOException {
    if (!Files.isDirectory(home)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(home)) {
      return all.toList();
    }
  }

  /** Returns the command lines of whatever a command of this test started and did not end. */
  private List<String> running() {
    List<String> running = new ArrayList<>();
    ProcessHandle.allProcesses()
        .forEach(
            process -> {
              Path home = Path.of("/proc", Long.toString(process.pid()));
              try {
                if (Files.readString(home.resolve("environ"), StandardCharsets.ISO_8859_1)
                    .contains(mark)) {
                  running.add(Files.readString(home.resolve("cmdline")).replace('\0', ' '));
                }
              } catch (IOException ended) {
                running.remove(""); // a process of someone else, or one that has just ended
              }
            });
    return running;
  }
}
