package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.Window;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.TargetOptions;
import io.slicewise.workload.target.WebApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several generators make one load: no user is missing, twice or another one. */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
class SpreadGeneratorTest {
  private static final Path WEB_APP =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int USERS = 5;

  @TempDir Path directory;

  @Test
  void twoGeneratorsSendWhatOneWouldAndTheirSamplesAreAllThere(Database database) throws Exception {
    Path files = Files.createDirectory(directory.resolve("files"));
    PageFiles.createMissing(files);
    try (SampleApplication application =
            WebApplication.start(TargetOptions.local(database, files));
        LabMachines machines = new LabMachines(2);
        LoadGenerator generator =
            new SpreadGenerator(machines.all(), new SplitRules(false, true, true));
        LoadGenerator.PreparedLoad prepared = generator.prepare(request(application))) {
      RunningLoad load = prepared.begin();
      Instant began = Instant.now();
      load.beginWindow();
      await().atMost(LIMIT).until(() -> load.progress().activeUsers() == USERS || !load.isAlive());
      await().atMost(LIMIT).until(() -> load.progress().samples() > 200);
      assertThat(load.isAlive()).as(load.failure().toString()).isTrue();
      assertThat(load.progress().failed()).isZero();
      assertThat(load.progress().p95Millis()).isPositive();

      FinishedLoad finished = load.stop();
      Instant ended = Instant.now();

      assertThat(finished.generators())
          .extracting(GeneratorOutput::generator, GeneratorOutput::users)
          .containsExactly(
              org.assertj.core.groups.Tuple.tuple("gen1", 3),
              org.assertj.core.groups.Tuple.tuple("gen2", 2));
      Window window = new Window(began.minusSeconds(5), ended.plusSeconds(5));
      Reduction reduction = reduced(finished, GeneratorOutput::counted, window);
      assertThat(reduction)
          .as("counted on the generators, as here")
          .isEqualTo(
              reduced(
                  finished,
                  output -> new GeneratorSamples(stayed(machines, output), output.clockAhead()),
                  window));
      assertThat(reduction.total().samples())
          .isEqualTo(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.log"));
      assertThat(
              Rows.count(database, "SELECT count(DISTINCT user_name) FROM slicewise_web_app.log"))
          .as("user 4 is the second generator's first")
          .isEqualTo(5);
      assertThat(threads(stayed(machines, finished.generators().get(0))))
          .containsExactlyInAnyOrder("users 1-1", "users 1-2", "users 1-3");
      assertThat(threads(stayed(machines, finished.generators().get(1))))
          .containsExactlyInAnyOrder("users 1-4", "users 1-5");
      assertThat(finished.generators())
          .allSatisfy(
              output -> {
                assertThat(output.health().cores()).isPositive();
                assertThat(output.clock().bound()).isBetween(Duration.ZERO, Duration.ofSeconds(1));
              });
      assertThat(machines.get(0).running()).isEmpty();
      assertThat(machines.get(1).running()).isEmpty();
      assertThat(directory.resolve("trial/gen1/jmeter.log")).exists();
    }
  }

  /** The file that stayed, alone in its directory. */
  private Path stayed(LabMachines machines, GeneratorOutput output) {
    int place = output.generator().equals("gen1") ? 0 : 1;
    Path there =
        machines
            .get(place)
            .home()
            .resolve(".cache/slicewise/run-" + GeneratorPart.runName(directory.resolve("trial")))
            .resolve("trial-" + place);
    Path samples = there.resolve("samples.jtl.gz");
    try (Stream<Path> all = Files.walk(there)) {
      assertThat(all.filter(Files::isRegularFile)).containsExactly(samples);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
    return samples;
  }

  private static Set<String> threads(Path samples) throws IOException {
    try (BufferedReader rows =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
      return rows.lines().skip(1).map(row -> row.split(",", 7)[5]).collect(Collectors.toSet());
    }
  }

  private static Reduction reduced(
      FinishedLoad finished, Function<GeneratorOutput, GeneratorSamples> of, Window window) {
    List<GeneratorSamples> files = finished.generators().stream().map(of).toList();
    return Reductions.reduce(files, window, ReductionOptions.standard());
  }

  private LoadRequest request(SampleApplication application) throws Exception {
    Map<String, String> properties = new HashMap<>();
    properties.put("host", application.uri().getHost());
    properties.put("port", Integer.toString(application.uri().getPort()));
    properties.put("think-time", "5");
    return new LoadRequest(
        WEB_APP,
        USERS,
        Duration.ZERO,
        LIMIT,
        properties,
        Files.createDirectory(directory.resolve("trial")));
  }
}
