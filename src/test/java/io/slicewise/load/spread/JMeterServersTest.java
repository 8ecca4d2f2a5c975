package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.Secret;
import io.slicewise.load.generator.LoadGenerator.PreparedLoad;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.PlanFile;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** JMeter's own servers generate a load; one that dies does not go unnoticed. */
@KeepsTheMachineBusy
@Tag("nightly")
class JMeterServersTest {
  private static final Path PAGE =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @RegisterExtension private static final StockServers SERVERS = new StockServers();
  @TempDir private Path directory;
  private static final LongAdder SERVED = new LongAdder();
  private static HttpServer target;

  @BeforeAll
  static void start() throws Exception {
    target = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
    target.setExecutor(Executors.newCachedThreadPool());
    target.createContext(
        "/",
        exchange -> {
          SERVED.increment();
          byte[] page = "<html>page</html>".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    target.start();
  }

  @AfterAll
  static void end() {
    target.stop(0);
  }

  private static JMeterServers servers(String... addresses) {
    return new JMeterServers(
        List.of(addresses),
        SERVERS.keystore(),
        Secret.of(StockServer.PASSWORD),
        "rmi",
        new SplitRules(false, true));
  }

  private LoadRequest request(int users) throws Exception {
    return new LoadRequest(
        PAGE,
        users,
        Duration.ZERO,
        Duration.ofMinutes(5),
        Map.of(
            "host",
            target.getAddress().getHostString(),
            "port",
            Integer.toString(target.getAddress().getPort()),
            "think-time",
            "20"),
        Files.createTempDirectory(directory, "trial"));
  }

  private static void awaitSamples(RunningLoad load, long more) {
    long before = load.progress().samples();
    await().atMost(LIMIT).until(() -> load.progress().samples() > before + more || !load.isAlive());
    assertThat(load.failure()).isEmpty();
  }

  @Test
  void bothServersSendAllTheirSamplesAndStopAndNobodySeesThePassword() throws Exception {
    LoadRequest request = request(4);
    long before = SERVED.sum();
    List<StockServer> both = List.of(SERVERS.first(), SERVERS.second());
    List<Long> tests = both.stream().map(StockServer::started).toList();
    try (PreparedLoad prepared =
        servers(both.get(0).address(), both.get(1).address()).prepare(request)) {
      RunningLoad load = prepared.begin();
      assertThat(both)
          .as("the load begins when both have started, which JMeter does one after the other")
          .extracting(StockServer::started)
          .containsExactly(tests.get(0) + 1, tests.get(1) + 1);
      awaitSamples(load, 400);
      assertThat(load.progress().activeUsers()).isEqualTo(4);
      load.beginWindow();
      awaitSamples(load, 400);
      assertThat(
              ProcessHandle.current()
                  .descendants()
                  .filter(process -> !process.equals(both.get(0).process()))
                  .map(process -> process.info().commandLine().orElse("")))
          .noneMatch(line -> line.contains(StockServer.PASSWORD));

      List<String> rows = SampleRows.of(load.stop().generators().get(0).samples());

      assertThat(rows).hasSize((int) (SERVED.sum() - before));
      for (StockServer server : both) {
        assertThat(rows).anyMatch(row -> row.contains("," + server.address() + "-users 1-2,"));
        assertThat(rows).noneMatch(row -> row.contains("," + server.address() + "-users 1-3,"));
      }
    }
    long after = SERVED.sum();
    await().during(Duration.ofMillis(300)).until(() -> SERVED.sum() == after);
    try (Stream<Path> left = Files.walk(request.directory())) {
      for (Path file : left.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
            .as(file.toString())
            .doesNotContain(StockServer.PASSWORD);
      }
    }
    SERVERS.areUnmarked();
  }

  @Test
  void aServerThatIsKilledInTheWindowEndsTheLoadWithItsName() throws Exception {
    try (StockServer mortal = SERVERS.another();
        PreparedLoad prepared =
            servers(SERVERS.first().address(), mortal.address()).prepare(request(4))) {
      RunningLoad load = prepared.begin();
      awaitSamples(load, 200);
      load.beginWindow();
      mortal.process().destroyForcibly();
      await().atMost(LIMIT).until(() -> !load.isAlive());
      assertThat(load.failure())
          .contains(
              "JMeter server %s sent no sample for 5 s in the window, so it or its network ended"
                  .formatted(mortal.address()));
    }
    long after = SERVED.sum();
    await().during(Duration.ofMillis(300)).until(() -> SERVED.sum() == after);
  }

  @Test
  void usersThatALostProcessLeftAreStoppedAndThoseOfOthersAreNot() throws Exception {
    String address = SERVERS.first().address();
    String port = address.replaceFirst(".*:", "");
    try (PreparedLoad lost = servers(address).prepare(request(3))) {
      RunningLoad load = lost.begin();
      awaitSamples(load, 100);
      ProcessHandle client =
          ProcessHandle.current()
              .children()
              .filter(child -> child.info().commandLine().orElse("").contains("child.Generator"))
              .findFirst()
              .orElseThrow();
      client.destroyForcibly();
      await().atMost(LIMIT).until(() -> !load.isAlive());
    }
    long still = SERVED.sum();
    await().atMost(LIMIT).until(() -> SERVED.sum() > still + 20);
    Path mark;
    try (Stream<Path> marks = Files.list(SERVERS.marks())) {
      mark = marks.filter(one -> one.toString().endsWith(port)).findFirst().orElseThrow();
    }
    String left = Files.readString(mark);

    Files.delete(mark);
    try (PreparedLoad prepared = servers(address).prepare(request(3))) {
      assertThatThrownBy(prepared::begin)
          .hasMessage(
              "JMeter server %s is busy with a test that is not this machine's".formatted(address));
    }

    Files.writeString(mark, left);
    try (PreparedLoad prepared = servers(address).prepare(request(3))) {
      RunningLoad load = prepared.begin();
      awaitSamples(load, 100);
      assertThat(SampleRows.of(load.stop().generators().get(0).samples())).isNotEmpty();
    }
  }

  @Test
  void refusesASecretBecauseServersLogTheirProperties() throws Exception {
    LoadRequest plain = request(4);
    LoadRequest secret =
        new LoadRequest(
            plain.plan(),
            5,
            5,
            plain.ramp(),
            plain.longest(),
            plain.properties(),
            Map.of("token", Secret.of("hidden")),
            plain.directory());

    assertThatThrownBy(
            () -> servers(SERVERS.first().address(), SERVERS.second().address()).prepare(secret))
        .hasMessageContaining(
            "5 users cannot be divided equally by 2 JMeter servers; 4 or 6 can;"
                + " property token is a secret, and JMeter's servers write");
  }

  @Test
  void aWrongPasswordIsOneSentence() {
    JMeterServers wrong =
        new JMeterServers(
            List.of(SERVERS.first().address()),
            SERVERS.keystore(),
            Secret.of("wrong"),
            "rmi",
            SplitRules.ALONE);

    assertThat(
            PlanFile.read(PAGE).complaint(wrong.properties(Map.of("host", "x")), wrong.secrets()))
        .hasValueSatisfying(
            sentence ->
                assertThat(sentence)
                    .startsWith(
                        "JMeter server %s cannot be reached over TLS with the keystore "
                            .formatted(SERVERS.first().address())));
  }
}
