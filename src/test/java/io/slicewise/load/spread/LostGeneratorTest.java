package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.Window;
import io.slicewise.lab.daemon.LabMachine;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A load that lost a generator is over, says which and why, and leaves nothing running; a wrong
 * clock costs nothing.
 */
@KeepsTheMachineBusy
class LostGeneratorTest {
  private static final Path PAGE =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path directory;
  private final LabMachines machines = new LabMachines(2);
  private HttpServer server;

  @BeforeEach
  void serve() throws IOException {
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

  @AfterEach
  void end() {
    machines.close();
    server.stop(0);
  }

  @Test
  void killed() throws Exception {
    running(
        machines.all(),
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
        });
  }

  @Test
  void stopped() throws Exception {
    running(
        machines.all(),
        load -> {
          new ProcessBuilder("kill", "-STOP", Long.toString(child(1).pid())).start().waitFor();
          await().atMost(LIMIT).until(() -> !load.isAlive());
          assertThat(load.failure())
              .contains(
                  "generator gen2 fell silent before the window (2 of 5 users): no sign of life for"
                      + " 5 s, so it or its network stopped");
          nothingRuns();
        });
  }

  @Test
  void cutOff() throws Exception {
    try (CutRelay relay = new CutRelay(machines.get(1).port())) {
      Files.writeString(
          machines.get(1).knownHosts(),
          Files.readString(machines.get(1).knownHosts())
              .replace(":" + machines.get(1).port(), ":" + relay.port()));
      running(
          List.of(machines.all().get(0), LabMachines.named("gen2", machines.get(1), relay.port())),
          load -> {
            relay.cut();
            await().atMost(LIMIT).until(() -> !load.isAlive());
            assertThat(load.failure().orElseThrow()).startsWith("generator gen2 fell silent");
            nothingRuns();
          });
    }
  }

  @Test
  void fullDisk() throws Exception {
    Path small = Files.createDirectory(directory.resolve("small"));
    Assumptions.assumeTrue(
        mount("mount", "-t", "tmpfs", "-o", "size=120m", "tmpfs", small.toString()),
        "only root can mount a small disk");
    try (LabMachine full = LabMachine.start(small)) {
      running(
          List.of(machines.all().get(0), LabMachines.named("gen2", full, full.port())),
          load -> {
            fill(small.resolve("filler"));
            await().atMost(LIMIT).until(() -> !load.isAlive());
            assertThat(load.failure().orElseThrow())
                .startsWith("generator gen2 ended before the window (2 of 5 users): the samples")
                .endsWith("cannot be written: No space left on device");
            await().atMost(LIMIT).until(() -> full.running().isEmpty());
            nothingRuns();
          });
    } finally {
      mount("umount", "-l", small.toString());
    }
  }

  @Test
  void aClockThatIsFiveSecondsWrongMovesNoSample() throws Exception {
    machines.get(1).setClockAhead(5_000);
    Instant began = Instant.now();
    running(
        machines.all(),
        load -> {
          load.beginWindow();
          long samples = load.progress().samples();
          await().atMost(LIMIT).until(() -> load.progress().samples() > samples + 100);
          FinishedLoad finished = load.stop();
          GeneratorOutput wrong = finished.generators().get(1);
          assertThat(wrong.clock().ahead())
              .isBetween(
                  Duration.ofSeconds(5).minus(wrong.clock().bound()).minusMillis(2),
                  Duration.ofSeconds(5).plus(wrong.clock().bound()).plusMillis(2));
          GeneratorSamples corrected = new GeneratorSamples(wrong.samples(), wrong.clockAhead());
          Window all = new Window(began, Instant.now());
          assertThat(
                  Reductions.reduce(List.of(corrected), all, ReductionOptions.standard())
                      .leftOut()
                      .outsideWindow())
              .isZero();
        });
  }

  @Test
  void aClockThatIsSetInTheWindowIsNoticed() throws Exception {
    running(
        machines.all(),
        load -> {
          load.beginWindow();
          machines.get(0).setClockAhead(-400);
          GeneratorOutput stepped = load.stop().generators().get(0);
          assertThat(stepped.clock().drift().plusMillis(400).abs())
              .isLessThan(Duration.ofMillis(100));
        });
  }

  private interface Work {
    void with(RunningLoad load) throws Exception;
  }

  private void running(List<GeneratorMachine> on, Work work) throws Exception {
    LoadRequest request =
        new LoadRequest(
            PAGE,
            5,
            Duration.ZERO,
            LIMIT.multipliedBy(3),
            Map.of(
                "host",
                server.getAddress().getHostString(),
                "port",
                Integer.toString(server.getAddress().getPort()),
                "think-time",
                "20"),
            Files.createDirectory(directory.resolve("trial")));
    try (LoadGenerator generator = new SpreadGenerator(on, new SplitRules(false, true));
        LoadGenerator.PreparedLoad prepared = generator.prepare(request)) {
      RunningLoad load = prepared.begin();
      await()
          .atMost(LIMIT)
          .until(() -> load.progress().activeUsers() == 5 || load.failure().isPresent());
      work.with(load);
    }
  }

  /** The generator's JVM of a machine, the only process there that lasts. */
  private ProcessHandle child(int machine) {
    return await()
        .atMost(LIMIT)
        .until(() -> machines.get(machine).running(), running -> running.size() == 1)
        .get(0);
  }

  private void nothingRuns() {
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
