package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import io.slicewise.load.spread.SpreadGenerator.SilenceLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A load that lost a generator is over, says which and why, and leaves nothing running. */
@KeepsTheMachineBusy
@Tag("thorough")
class LostGeneratorTest {
  private static final Path PAGE =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(90);

  /** Shorter than the standard, but longer than a busy machine may keep a process waiting. */
  private static final SilenceLimits LIMITS = new SilenceLimits(Duration.ofSeconds(3));

  @TempDir private static Path directory;
  private static LabMachines machines;
  private static CutRelay network;
  private static LoadGenerator generator;
  private static HttpServer server;

  /** The second machine's network can be cut. Its login and program serve all tests. */
  @BeforeAll
  static void start() throws IOException {
    machines = new LabMachines(2);
    LabMachine second = machines.get(1);
    network = new CutRelay(second.port());
    Files.writeString(
        second.knownHosts(),
        Files.readString(second.knownHosts()).replace(":" + second.port(), ":" + network.port()));
    generator =
        new SpreadGenerator(
            List.of(machines.all().get(0), LabMachines.named("gen2", second, network.port())),
            new SplitRules(false, true),
            LIMITS);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          byte[] page = "<html>page</html>".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    server.start();
  }

  @AfterAll
  static void end() throws IOException {
    generator.close();
    network.close();
    machines.close();
    server.stop(0);
  }

  @Test
  void killed() throws Exception {
    running(
        load -> {
          load.beginWindow();
          child(1).destroyForcibly();
          await().atMost(LIMIT).until(() -> !load.isAlive());
          assertThat(load.failure().orElseThrow())
              .matches(
                  "generator gen2 ended [0-9.]+ s into the window \\(2 of 5 users\\): the JVM of"
                      + " generator gen2 ended unexpectedly; the trial measured 3 users from then"
                      + " on");
          nothingRuns();
          itsSamplesAreEvidence();
        });
  }

  @Test
  @Tag("nightly")
  void stopped() throws Exception {
    running(
        load -> {
          new ProcessBuilder("kill", "-STOP", Long.toString(child(1).pid())).start().waitFor();
          await().atMost(LIMIT).until(() -> !load.isAlive());
          assertThat(load.failure())
              .contains(
                  "generator gen2 fell silent before the window (2 of 5 users): no sign of life for"
                      + " 3 s, so it or its network stopped");
          nothingRuns();
          itsSamplesAreEvidence();
        });
  }

  @Test
  void cutOff() throws Exception {
    running(
        load -> {
          network.cut();
          await().atMost(LIMIT).until(() -> !load.isAlive());
          assertThat(load.failure().orElseThrow()).startsWith("generator gen2 fell silent");
          nothingRuns();
          network.mend();
        });
  }

  @Test
  void fullDisk() throws Exception {
    Path small = Files.createDirectories(itsRun());
    Assumptions.assumeTrue(
        mount("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", small.toString()),
        "only root can mount a small disk");
    try {
      running(
          load -> {
            fill(small.resolve("filler"));
            await().atMost(LIMIT).until(() -> !load.isAlive());
            assertThat(load.failure().orElseThrow())
                .startsWith("generator gen2 ended before the window (2 of 5 users): the samples")
                .endsWith("cannot be written: the disk is full");
            nothingRuns();
            itsSamplesAreEvidence();
          });
    } finally {
      mount("umount", "-l", small.toString());
    }
  }

  /** They are whole rows, under a name of their own, and nothing of the load is reduced. */
  private static void itsSamplesAreEvidence() throws IOException {
    Path trial = directory.resolve("trial");
    assertThat(SampleRows.users(trial.resolve("gen2").resolve(GeneratorPart.INCOMPLETE)))
        .containsExactlyInAnyOrder("users 1-4", "users 1-5");
    try (Stream<Path> all = Files.walk(trial)) {
      assertThat(all.filter(file -> file.toString().endsWith(".jtl.gz"))).hasSize(1);
    }
  }

  /** The directory of all trials on the second machine. */
  private static Path itsRun() {
    return machines
        .get(1)
        .home()
        .resolve(".cache/slicewise")
        .resolve("run-" + GeneratorPart.runName(directory.resolve("trial")));
  }

  /** Whether both of its users have requests behind them. */
  private static boolean itsSamplesAreWritten() {
    return itsRun().resolve("trial-1/samples.jtl.gz").toFile().length() > 1_000;
  }

  private interface Work {
    void with(RunningLoad load) throws Exception;
  }

  private static void running(Work work) throws Exception {
    Path trial = directory.resolve("trial");
    FileUtils.deleteDirectory(trial.toFile());
    LoadRequest request =
        new LoadRequest(
            PAGE,
            5,
            Duration.ZERO,
            LIMIT,
            Map.of(
                "host",
                server.getAddress().getHostString(),
                "port",
                Integer.toString(server.getAddress().getPort()),
                "think-time",
                "20"),
            Files.createDirectory(trial));
    try (LoadGenerator.PreparedLoad prepared = generator.prepare(request)) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> itsSamplesAreWritten() || load.failure().isPresent());
      work.with(load);
    }
  }

  /** The generator's JVM of a machine, the only process there that lasts. */
  private static ProcessHandle child(int machine) {
    return await()
        .atMost(LIMIT)
        .until(() -> machines.get(machine).running(), running -> running.size() == 1)
        .get(0);
  }

  private static void nothingRuns() {
    await()
        .atMost(LIMIT)
        .until(() -> machines.get(0).running().isEmpty() && machines.get(1).running().isEmpty());
  }

  private static boolean mount(String... words) throws Exception {
    return new ProcessBuilder(words).start().waitFor() == 0;
  }

  private static void fill(Path file) throws IOException {
    byte[] block = new byte[1 << 16];
    try (var out = Files.newOutputStream(file)) {
      while (true) {
        out.write(block);
      }
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("No space left");
    }
  }
}
