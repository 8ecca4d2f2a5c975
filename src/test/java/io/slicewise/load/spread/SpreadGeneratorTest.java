package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.units.Window;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.jtl.GeneratorSamples;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions;
import io.slicewise.load.jtl.Reductions;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.PageFiles;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.target.SampleApplication;
import io.slicewise.workload.target.SampleApplication.TargetOptions;
import io.slicewise.workload.target.WebApplication;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Several generators make one load: no user is missing, twice or another one. */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
@Tag("thorough")
class SpreadGeneratorTest {
  private static final Path WEB_APP =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx");
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int USERS = 5;

  @TempDir Path directory;

  /** One clock is wrong from the start, the other is set while the load runs. */
  @Test
  void twoGeneratorsSendWhatOneWouldWhateverTheirClocksShow(Database database) throws Exception {
    Path files = Files.createDirectory(directory.resolve("files"));
    PageFiles.createMissing(files);
    try (SampleApplication application =
            WebApplication.start(TargetOptions.local(database, files));
        LabMachines machines = new LabMachines(2);
        LoadGenerator generator =
            new SpreadGenerator(machines.all(), new SplitRules(false, true, true))) {
      machines.get(1).setClockAhead(5_000);
      try (LoadGenerator.PreparedLoad prepared = generator.prepare(request(application))) {
        RunningLoad load = prepared.begin();
        Instant began = Instant.now();
        load.beginWindow();
        await()
            .atMost(LIMIT)
            .until(() -> load.progress().activeUsers() == USERS || !load.isAlive());
        await().atMost(LIMIT).until(() -> load.progress().samples() > 200);
        Instant late = Instant.now();
        machines.get(0).setClockAhead(-400);
        assertThat(load.isAlive()).as(load.failure().toString()).isTrue();
        assertThat(load.progress().failed()).isZero();
        assertThat(load.progress().p95Millis()).isPositive();
        assertThat(List.of("gen1", "gen2"))
            .contains(
                load.progress().cpuShare().generator(),
                load.progress().latenessP99Millis().generator());

        FinishedLoad finished = load.stop();
        Window window = new Window(began, Instant.now());

        everySampleIsThereOnce(database, machines, finished, window);
        clocksAreKnown(machines, finished, window, late);
      }
      assertThat(machines.get(0).running()).isEmpty();
      assertThat(machines.get(1).running()).isEmpty();
      assertThat(directory.resolve("trial/gen1/jmeter.log")).exists();
    }
  }

  private void everySampleIsThereOnce(
      Database database, LabMachines machines, FinishedLoad finished, Window window)
      throws Exception {
    assertThat(finished.generators())
        .extracting(GeneratorOutput::generator, GeneratorOutput::users)
        .containsExactly(tuple("gen1", 3), tuple("gen2", 2));
    Window wide = new Window(window.start().minusSeconds(5), window.end().plusSeconds(5));
    Reduction reduction = reduced(finished, GeneratorOutput::counted, wide);
    assertThat(reduction)
        .as("counted on the generators, as here")
        .isEqualTo(reduced(finished, output -> here(machines, output), wide));
    assertThat(reduction.total().samples())
        .isEqualTo(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.log"));
    assertThat(Rows.count(database, "SELECT count(DISTINCT user_name) FROM slicewise_web_app.log"))
        .as("user 4 is the second generator's first")
        .isEqualTo(5);
    assertThat(SampleRows.users(stayed(machines, finished.generators().get(0))))
        .containsExactlyInAnyOrder("users 1-1", "users 1-2", "users 1-3");
    assertThat(SampleRows.users(stayed(machines, finished.generators().get(1))))
        .containsExactlyInAnyOrder("users 1-4", "users 1-5");
    assertThat(finished.generators())
        .allSatisfy(output -> assertThat(output.health().cores()).isPositive());
  }

  /** The offset moves the window and no sample; the clock that was set is noticed. */
  private void clocksAreKnown(
      LabMachines machines, FinishedLoad finished, Window window, Instant late) {
    GeneratorOutput wrong = finished.generators().get(1);
    Duration bound = wrong.clock().bound();
    assertThat(bound).isBetween(Duration.ZERO, Duration.ofSeconds(1));
    assertThat(wrong.clock().ahead())
        .isBetween(
            Duration.ofSeconds(5).minus(bound).minusMillis(2),
            Duration.ofSeconds(5).plus(bound).plusMillis(2));
    assertThat(outside(here(machines, wrong), window)).isZero();
    assertThat(outside(here(machines, wrong), new Window(late, window.end()))).isPositive();
    assertThat(finished.generators().get(0).clock().drift().plusMillis(400).abs())
        .isLessThan(Duration.ofMillis(100));
  }

  private static long outside(GeneratorSamples samples, Window window) {
    return Reductions.reduce(List.of(samples), window, ReductionOptions.standard())
        .leftOut()
        .outsideWindow();
  }

  private GeneratorSamples here(LabMachines machines, GeneratorOutput output) {
    return new GeneratorSamples(stayed(machines, output), output.clockAhead());
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
