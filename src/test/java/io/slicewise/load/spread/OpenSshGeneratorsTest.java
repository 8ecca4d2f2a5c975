package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three generators behind OpenSSH's own server, in network namespaces where that is allowed: no
 * user and no row of data is used twice, and a generator that is lost ends the load.
 */
@MeasuresInRealTime
@Tag("nightly")
class OpenSshGeneratorsTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int USERS = 25;
  private static final int ROWS = 203;

  @TempDir Path directory;
  private final List<OpenSshMachine> machines = new ArrayList<>();
  private final Queue<String> asked = new ConcurrentLinkedQueue<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    Assumptions.assumeTrue(OpenSshMachine.installed(), "OpenSSH's server is not installed");
    for (int number = 1; number <= 3; number++) {
      machines.add(OpenSshMachine.start(number, directory.resolve("machine" + number)));
    }
    server = HttpServer.create(new InetSocketAddress(0), 50);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext(
        "/",
        exchange -> {
          asked.add(String.valueOf(exchange.getRequestURI().getQuery()));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void end() {
    machines.forEach(OpenSshMachine::close);
    server.stop(0);
  }

  @Test
  void twentyFiveUsersOverThreeUseEachRowOnce() throws Exception {
    running(
        "?row=${row}&user=${__threadNum}",
        load -> {
          await().atMost(LIMIT).until(() -> asked.size() == ROWS);
          FinishedLoad finished = load.stop();
          assertThat(finished.generators())
              .extracting(GeneratorOutput::users)
              .containsExactly(9, 8, 8);
          assertThat(rows()).containsExactlyInAnyOrderElementsOf(names());
          assertThat(asked.stream().map(one -> one.replaceAll(".*user=", "")).distinct())
              .as("users 1 to 25")
              .containsExactlyInAnyOrderElementsOf(
                  IntStream.rangeClosed(1, USERS).mapToObj(String::valueOf).toList());
          nothingRuns();
        });
  }

  @Test
  void aKilledGeneratorEndsTheLoad() throws Exception {
    running(
        "",
        load -> {
          load.beginWindow();
          machines.get(2).running().forEach(ProcessHandle::destroyForcibly);
          await().atMost(LIMIT).until(() -> !load.isAlive());
          assertThat(load.failure().orElseThrow())
              .startsWith("generator gen3 ended ")
              .endsWith("the trial measured 17 users from then on");
          nothingRuns();
        });
  }

  @Test
  void aCutNetworkEndsTheLoadHereAndThere() throws Exception {
    Assumptions.assumeTrue(machines.get(1).isInNamespace(), "only a network of its own can be cut");
    running(
        "",
        load -> {
          machines.get(1).setLink("down");
          await().atMost(LIMIT).until(() -> !load.isAlive());
          assertThat(load.failure().orElseThrow())
              .startsWith("generator gen2 fell silent before the window (8 of 25 users)");
          nothingRuns();
        });
  }

  private interface Work {
    void with(RunningLoad load) throws Exception;
  }

  private void running(String query, Work work) throws Exception {
    Path plan = plan(query);
    String host = machines.get(0).isInNamespace() ? OpenSshMachine.gateway(1) : "127.0.0.1";
    LoadRequest request =
        new LoadRequest(
            plan,
            USERS,
            Duration.ZERO,
            LIMIT,
            Map.of(
                "host",
                host,
                "port",
                Integer.toString(server.getAddress().getPort()),
                "think-time",
                "200"),
            Files.createDirectory(directory.resolve("trial")));
    List<GeneratorMachine> all =
        IntStream.range(0, 3)
            .mapToObj(place -> machines.get(place).machine("gen" + (place + 1)))
            .toList();
    try (LoadGenerator generator = new SpreadGenerator(all, new SplitRules(false, true));
        LoadGenerator.PreparedLoad prepared = generator.prepare(request)) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> asked.size() > USERS || load.failure().isPresent());
      assertThat(load.failure()).isEmpty();
      work.with(load);
    }
  }

  /** Each user takes a row for each request; without a query the rows begin again. */
  private Path plan(String query) throws IOException {
    String page =
        Files.readString(Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "page.jmx"));
    Files.write(directory.resolve("rows.csv"), names());
    String set =
        """
        <CSVDataSet guiclass="TestBeanGUI" testclass="CSVDataSet" testname="rows" enabled="true">
          <stringProp name="filename">rows.csv</stringProp>
          <stringProp name="variableNames">row</stringProp>
          <boolProp name="recycle">%s</boolProp>
          <boolProp name="stopThread">%s</boolProp>
          <stringProp name="shareMode">shareMode.all</stringProp>
        </CSVDataSet>
        <hashTree/>
        <ConstantTimer\
        """
            .formatted(query.isEmpty(), !query.isEmpty());
    return Files.writeString(
        directory.resolve("rows.jmx"),
        page.replace("${__P(path,/)}", "/" + query.replace("&", "&amp;"))
            .replaceFirst("<ConstantTimer", java.util.regex.Matcher.quoteReplacement(set)));
  }

  private static List<String> names() {
    return IntStream.rangeClosed(1, ROWS).mapToObj(number -> "name" + number).toList();
  }

  private List<String> rows() {
    return asked.stream()
        .map(one -> one.replaceAll("row=([^&]*).*", "$1"))
        .collect(Collectors.toList());
  }

  private void nothingRuns() {
    await()
        .atMost(LIMIT)
        .until(() -> machines.stream().allMatch(machine -> machine.running().isEmpty()));
  }
}
