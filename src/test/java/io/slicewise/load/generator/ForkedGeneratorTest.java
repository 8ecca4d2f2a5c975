package io.slicewise.load.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.WebApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A load runs in a JVM of its own, keeps every sample, and ends whatever its users do. */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
class ForkedGeneratorTest {
  private static final Path WEB_APP =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final int LABEL = 2;
  private static final int CODE = 3;
  private static final int SUCCESS = 7;
  private static final int FAILURE = 8;

  @TempDir Path directory;
  private final LoadGenerator generator = LoadGenerator.forked();

  @Test
  void keepsEverySampleTheServerSaw(Database database) throws Exception {
    Path files = Files.createDirectory(directory.resolve("files"));
    PageFiles.createMissing(files);
    try (SampleApplication application =
            WebApplication.start(TargetOptions.local(database, files));
        LoadGenerator.PreparedLoad prepared =
            generator.prepare(request(WEB_APP, 5, at(application.uri())))) {
      RunningLoad load = prepared.begin();
      load.beginWindow();
      await().atMost(LIMIT).until(() -> load.progress().samples() > 100);
      assertThat(load.isAlive()).isTrue();
      assertThat(load.progress().activeUsers()).isEqualTo(5);
      assertThat(load.progress().failed()).isZero();
      assertThat(load.progress().ratePerSecond()).isPositive();

      GeneratorOutput finished = load.stop().generators().get(0);

      List<String> lines = lines(finished.samples());
      assertThat(lines.get(0))
          .isEqualTo(
              "timeStamp,elapsed,label,responseCode,responseMessage,threadName,dataType,success,"
                  + "failureMessage,bytes,sentBytes,grpThreads,allThreads,URL,Latency,IdleTime,"
                  + "Connect");
      assertThat(lines.subList(1, lines.size()))
          .allSatisfy(line -> assertThat(line.split(",", -1)[LABEL]).isEqualTo("page"));
      long seen = Rows.count(database, "SELECT count(*) FROM slicewise_web_app.log");
      assertThat(lines.size() - 1L).isEqualTo(seen);
      assertThat(
              Rows.count(database, "SELECT count(DISTINCT user_name) FROM slicewise_web_app.log"))
          .isEqualTo(5);
      assertHealthy(finished.health());
      assertThat(directory.resolve("jmeter-home")).doesNotExist();
      assertThat(directory.resolve("jmeter.log"))
          .content()
          .contains("HTTP request \"page\" is sent by Slicewise's client")
          .doesNotContain("JMeter's own");
      assertThat(load.isAlive()).isFalse();

      Path home = Files.createDirectory(directory.resolve("jmeter-home"));
      load.close();
      prepared.close();
      assertThat(home).as("the next attempt's").exists();
    }
  }

  @Test
  void cutsTheSamplesOfAWindowOffWhileUsersGoOnAndLosesNone(Database database) throws Exception {
    Path files = Files.createDirectory(directory.resolve("files"));
    PageFiles.createMissing(files);
    Path window = Files.createDirectory(directory.resolve("window")).resolve("samples.jtl.gz");
    try (SampleApplication application =
            WebApplication.start(TargetOptions.local(database, files));
        LoadGenerator.PreparedLoad prepared =
            generator.prepare(request(WEB_APP, 5, at(application.uri())))) {
      RunningLoad load = prepared.begin();
      load.beginWindow();
      await().atMost(LIMIT).until(() -> load.progress().samples() > 100);
      GeneratorOutput cut = load.cut(window).generators().get(0);
      long before = load.progress().samples();
      await().atMost(LIMIT).until(() -> load.progress().samples() > before + 100);
      List<String> rest = lines(load.stop().generators().get(0).samples());

      assertThat(cut.samples()).isEqualTo(window);
      assertHealthy(cut.health());
      List<String> first = lines(window);
      assertThat(first.get(0)).isEqualTo(rest.get(0)).startsWith("timeStamp,elapsed,label");
      assertThat(first).hasSizeGreaterThan(100);
      assertThat(rest).hasSizeGreaterThan(100);
      long seen = Rows.count(database, "SELECT count(*) FROM slicewise_web_app.log");
      assertThat(first.size() + rest.size() - 2L).isEqualTo(seen);
    }
  }

  private static void assertHealthy(GeneratorHealth health) {
    assertThat(health.cpuSeconds()).isPositive();
    assertThat(health.cpuShare()).isBetween(0.0, 1.0);
    assertThat(health.gcPauseMillis()).isNotNegative();
    assertThat(health.latenessP99Millis()).isPositive();
    assertThat(health.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
  }

  /**
   * As a JMeter does that does not have the sampler: by itself the plan would go on for an hour.
   */
  @Test
  void theCpuPlanEndsAtItsFirstErrorUnlessToldToGoOn() throws Exception {
    Path shipped = WEB_APP.resolveSibling("cpu.jmx");
    Path plan =
        Files.writeString(
            directory.resolve("cpu.jmx"),
            Files.readString(shipped)
                .replace("io.slicewise.workload.SortSampler", "io.example.MissingSampler"));
    try (LoadGenerator.PreparedLoad prepared = generator.prepare(request(plan, 3, Map.of()))) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> !load.isAlive());
      List<String> lines = lines(load.stop().generators().get(0).samples());
      assertThat(lines.subList(1, lines.size()))
          .hasSizeBetween(1, 3)
          .allSatisfy(line -> assertThat(line.split(",", -1)[SUCCESS]).isEqualTo("false"));
    }
  }

  @Test
  void countsWrongContentThroughAModuleAndSilencesThePlansOwnListeners() throws Exception {
    Path own = directory.resolve("own-listener.jtl");
    String listener =
        """
        <ResultCollector guiclass="SimpleDataWriter" testclass="ResultCollector" testname="own">
          <stringProp name="filename">%s</stringProp>
        </ResultCollector>
        <hashTree/>
        """
            .formatted(own);
    Path plan = directory.resolve("plan.jmx");
    Files.writeString(
        plan,
        throughAModuleController(Files.readString(WEB_APP))
            .replaceFirst("<UserParameters", listener.strip() + "\n<UserParameters"));
    try (AnyServer server = AnyServer.answering("<html>another page</html>");
        LoadGenerator.PreparedLoad prepared =
            generator.prepare(request(plan, 2, at(server.uri())))) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> load.progress().failed() > 0);

      List<String> lines = lines(load.stop().generators().get(0).samples());

      assertThat(lines.subList(1, lines.size()))
          .allSatisfy(
              line -> {
                String[] columns = line.split(",", -1);
                assertThat(columns[CODE]).isEqualTo("200");
                assertThat(columns[SUCCESS]).isEqualTo("false");
                assertThat(columns[FAILURE]).contains("Signed in as user");
              });
      assertThat(own).doesNotExist();
    }
  }

  /** The thread group's content goes into a fragment, which a module controller calls. */
  private static String throughAModuleController(String plan) {
    int start = plan.indexOf("<UserParameters");
    int end = plan.lastIndexOf("</hashTree>", plan.lastIndexOf("</hashTree>") - 1);
    end = plan.lastIndexOf("</hashTree>", end - 1);
    String content = plan.substring(start, end);
    String call =
        """
        <ModuleController guiclass="ModuleControllerGui" testclass="ModuleController" testname="call">
          <collectionProp name="ModuleController.node_path">
            <stringProp name="1">Test Plan</stringProp>
            <stringProp name="2">web-app</stringProp>
            <stringProp name="3">visit</stringProp>
          </collectionProp>
        </ModuleController>
        <hashTree/>
        </hashTree>
        <TestFragmentController guiclass="TestFragmentControllerGui"
            testclass="TestFragmentController" testname="visit"/>
        <hashTree>
        """;
    return plan.substring(0, start) + call + content + plan.substring(end);
  }

  @Test
  void endsUsersWhoWaitForAServerThatNeverAnswersAtTheLongest() throws Exception {
    try (ServerSocket silent = new ServerSocket(0);
        LoadGenerator.PreparedLoad prepared =
            generator.prepare(
                new LoadRequest(
                    WEB_APP,
                    3,
                    Duration.ZERO,
                    Duration.ofSeconds(2),
                    at(URI.create("http://127.0.0.1:" + silent.getLocalPort())),
                    directory))) {
      RunningLoad load = prepared.begin();
      Instant start = Instant.now();
      await().atMost(LIMIT).until(() -> !load.isAlive());

      GeneratorOutput finished = load.stop().generators().get(0);

      assertThat(Duration.between(start, Instant.now())).isLessThan(Duration.ofSeconds(20));
      assertThat(lines(finished.samples()))
          .hasSizeBetween(1, 4)
          .allSatisfy(line -> assertThat(line).doesNotContain(",true,"));
    }
  }

  @Test
  void noticesThatItsProcessDied() throws Exception {
    try (AnyServer server = AnyServer.answering("anything");
        LoadGenerator.PreparedLoad prepared =
            generator.prepare(request(WEB_APP, 1, at(server.uri())))) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> load.progress().samples() > 0);
      ProcessHandle child =
          ProcessHandle.current()
              .children()
              .filter(
                  process -> process.info().commandLine().orElse("").contains(directory.toString()))
              .findFirst()
              .orElseThrow();

      child.destroyForcibly();

      await().atMost(LIMIT).until(() -> !load.isAlive());
      assertThatThrownBy(load::stop)
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining(
              "ended unexpectedly with status 137: something other than Slicewise killed it");
    }
  }

  @Test
  void saysInOneSentenceWhyAPlanCannotRun() throws IOException {
    Path plan = directory.resolve("broken.jmx");
    Files.writeString(
        plan, Files.readString(WEB_APP).replace("IfController", "com.example.NoSuchElement"));
    try (LoadGenerator.PreparedLoad prepared = generator.prepare(request(plan, 1, Map.of()))) {
      assertThatThrownBy(prepared::begin)
          .isInstanceOf(SlicewiseException.class)
          .hasMessageContaining("broken.jmx")
          .hasMessageContaining("com.example.NoSuchElement");
    }
  }

  private LoadRequest request(Path plan, int users, Map<String, String> properties) {
    return new LoadRequest(plan, users, Duration.ZERO, LIMIT, properties, directory);
  }

  private static Map<String, String> at(URI uri) {
    return Map.of("host", uri.getHost(), "port", Integer.toString(uri.getPort()));
  }

  private static List<String> lines(Path samples) throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
      return reader.lines().toList();
    }
  }
}
