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
import java.io.InputStream;
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
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** JMeter's own servers generate a load; one that dies does not go unnoticed. */
@KeepsTheMachineBusy
@Tag("nightly")
class JMeterServersTest {
  private static final Path PAGE =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir private static Path home;
  @TempDir private Path directory;
  private static final LongAdder SERVED = new LongAdder();
  private static HttpServer target;
  private static StockServer first;
  private static StockServer second;

  @BeforeAll
  static void start() throws Exception {
    System.setProperty("slicewise.cache.jmeter-servers", home.resolve("marks").toString());
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
    Path installed = StockServer.install(home.resolve("jmeter"));
    first = StockServer.start(installed);
    second = StockServer.start(installed);
  }

  @AfterAll
  static void end() {
    System.clearProperty("slicewise.cache.jmeter-servers");
    first.close();
    second.close();
    target.stop(0);
  }

  private static JMeterServers servers(String... addresses) {
    return new JMeterServers(
        List.of(addresses),
        home.resolve("jmeter/bin/rmi_keystore.jks"),
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

  private static List<String> rows(Path samples) throws Exception {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(samples))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().skip(1).toList();
    }
  }

  @Test
  void bothServersSendAllTheirSamplesAndStopAndNobodySeesThePassword() throws Exception {
    LoadRequest request = request(4);
    long before = SERVED.sum();
    try (PreparedLoad prepared = servers(first.address(), second.address()).prepare(request)) {
      RunningLoad load = prepared.begin();
      awaitSamples(load, 400);
      assertThat(load.progress().activeUsers()).isEqualTo(4);
      load.beginWindow();
      awaitSamples(load, 400);
      assertThat(
              ProcessHandle.current()
                  .descendants()
                  .filter(process -> !process.equals(first.process()))
                  .map(process -> process.info().commandLine().orElse("")))
          .noneMatch(line -> line.contains(StockServer.PASSWORD));

      List<String> rows = rows(load.stop().generators().get(0).samples());

      assertThat(rows).hasSize((int) (SERVED.sum() - before));
      for (StockServer server : List.of(first, second)) {
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
    assertThat(home.resolve("marks")).isEmptyDirectory();
  }

  @Test
  void aServerThatIsKilledInTheWindowEndsTheLoadWithItsName() throws Exception {
    try (StockServer mortal = StockServer.start(home.resolve("jmeter"));
        PreparedLoad prepared = servers(first.address(), mortal.address()).prepare(request(4))) {
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
    try (PreparedLoad lost = servers(first.address()).prepare(request(3))) {
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
    try (Stream<Path> marks = Files.list(home.resolve("marks"))) {
      mark = marks.findFirst().orElseThrow();
    }
    String left = Files.readString(mark);

    Files.delete(mark);
    try (PreparedLoad prepared = servers(first.address()).prepare(request(3))) {
      RunningLoad refused = prepared.begin();
      await().atMost(LIMIT).until(() -> !refused.isAlive());
      assertThat(refused.failure())
          .contains(
              "JMeter server %s is busy with a test that is not this machine's"
                  .formatted(first.address()));
    }

    Files.writeString(mark, left);
    try (PreparedLoad prepared = servers(first.address()).prepare(request(3))) {
      RunningLoad load = prepared.begin();
      awaitSamples(load, 100);
      assertThat(rows(load.stop().generators().get(0).samples())).isNotEmpty();
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

    assertThatThrownBy(() -> servers(first.address(), second.address()).prepare(secret))
        .hasMessageContaining(
            "5 users cannot be divided equally by 2 JMeter servers; 4 or 6 can;"
                + " property token is a secret, and JMeter's servers write");
  }

  @Test
  void aWrongPasswordIsOneSentence() {
    JMeterServers wrong =
        new JMeterServers(
            List.of(first.address()),
            home.resolve("jmeter/bin/rmi_keystore.jks"),
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
                            .formatted(first.address())));
  }
}
