package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import io.slicewise.load.generator.RunningLoad.FinishedLoad;
import io.slicewise.load.spread.SplitPlan.SplitRules;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One, two and three generators measure the same distribution of response times on the lab. Their
 * loads run at the same time, so that whatever else the machine does is in all of them.
 */
@MeasuresInRealTime
@Tag("nightly")
class GeneratorsAgreeTest {
  private static final Path WEB_APP =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx");
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final int USERS = 25;
  private static final int MOST = 3;

  /** Of each load, before its samples count (all its classes are compiled), and in all. */
  private static final int WARM = 700;

  private static final int SAMPLES = 2_200;

  /** Neighbours in time answer alike, so one sample in as many counts for the test. */
  private static final int EVERY = 3;

  @TempDir Path directory;

  @Test
  void theNumberOfGeneratorsDoesNotShowInTheResponseTimes() throws Exception {
    List<LoadGenerator> generators = new ArrayList<>();
    try (Lab lab = Lab.start(LabOptions.defaults());
        LabMachines machines = new LabMachines(MOST)) {
      List<RunningLoad> loads = new ArrayList<>();
      for (int number = 1; number <= MOST; number++) {
        List<GeneratorMachine> its = machines.all().subList(0, number);
        generators.add(new SpreadGenerator(its, new SplitRules(false, true)));
        loads.add(generators.get(number - 1).prepare(request(lab)).begin());
      }
      awaitSamples(loads, WARM);
      long from = System.currentTimeMillis();
      awaitSamples(loads, SAMPLES);
      List<double[]> times = new ArrayList<>();
      for (RunningLoad load : loads) {
        times.add(times(load.stop(), from));
      }
      KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
      for (int number = 2; number <= MOST; number++) {
        double[] one = times.get(0);
        double[] several = times.get(number - 1);
        double distance = test.kolmogorovSmirnovStatistic(one, several);
        double p = test.kolmogorovSmirnovTest(one, several);
        System.out.printf(
            "%d generators against one: D %.3f, p %.3f, %d and %d samples, medians %.0f and %.0f"
                + " ms%n",
            number, distance, p, one.length, several.length, median(one), median(several));
        assertThat(p).as("%s generators, distance %s", number, distance).isGreaterThan(0.001);
      }
    } finally {
      generators.forEach(LoadGenerator::close);
    }
  }

  private static void awaitSamples(List<RunningLoad> loads, int number) {
    for (RunningLoad load : loads) {
      await().atMost(LIMIT).until(() -> load.progress().samples() >= number || !load.isAlive());
      assertThat(load.failure()).isEmpty();
    }
  }

  private LoadRequest request(Lab lab) throws IOException {
    URI target = lab.target().orElseThrow();
    return new LoadRequest(
        WEB_APP,
        USERS,
        Duration.ZERO,
        LIMIT,
        Map.of(
            "host",
            target.getHost(),
            "port",
            Integer.toString(target.getPort()),
            "think-time",
            "1200"),
        Files.createTempDirectory(directory, "trial"));
  }

  /** The users of all generators are those of one, and each is one generator's. */
  private static double[] times(FinishedLoad finished, long from) {
    List<String> users = new ArrayList<>();
    List<String> rows = new ArrayList<>();
    for (GeneratorOutput output : finished.generators()) {
      users.addAll(SampleRows.users(output.samples()));
      rows.addAll(SampleRows.of(output.samples()));
    }
    assertThat(users)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, USERS).mapToObj(number -> "users 1-" + number).toList());
    List<String[]> late =
        rows.stream()
            .map(row -> row.split(",", 3))
            .filter(row -> Long.parseLong(row[0]) >= from)
            .toList();
    return IntStream.range(0, late.size() / EVERY)
        .mapToDouble(number -> Double.parseDouble(late.get(number * EVERY)[1]))
        .toArray();
  }

  private static double median(double[] times) {
    return Arrays.stream(times).sorted().toArray()[times.length / 2];
  }
}
