package io.slicewise.load.spread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabOptions;
import io.slicewise.load.generator.FinishedLoad;
import io.slicewise.load.generator.GeneratorOutput;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.load.generator.LoadRequest;
import io.slicewise.load.generator.RunningLoad;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.apache.commons.math3.stat.inference.KolmogorovSmirnovTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One, two and three generators measure the same distribution of response times on the lab. Each
 * number runs early and late, so that a drift of the machine is in all of them.
 */
@MeasuresInRealTime
@Tag("nightly")
class GeneratorsAgreeTest {
  private static final Path WEB_APP =
      Path.of(System.getProperty("slicewise.home"), "jmeter-plans", "web-app.jmx");
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int USERS = 25;
  private static final int SAMPLES = 1_000;

  /** Neighbours in time answer alike, so one sample in as many counts for the test. */
  private static final int EVERY = 3;

  @TempDir Path directory;

  @Test
  void theNumberOfGeneratorsDoesNotShowInTheResponseTimes() throws Exception {
    try (Lab lab = Lab.start(LabOptions.defaults());
        LabMachines machines = new LabMachines(3)) {
      Map<Integer, double[]> times = new LinkedHashMap<>();
      for (int generators : List.of(1, 2, 3, 3, 2, 1)) {
        times.merge(
            generators,
            times(lab, machines.all().subList(0, generators)),
            (before, more) ->
                DoubleStream.concat(DoubleStream.of(before), DoubleStream.of(more)).toArray());
      }
      KolmogorovSmirnovTest test = new KolmogorovSmirnovTest();
      for (int generators = 2; generators <= 3; generators++) {
        double distance = test.kolmogorovSmirnovStatistic(times.get(1), times.get(generators));
        double p = test.kolmogorovSmirnovTest(times.get(1), times.get(generators));
        System.out.printf(
            "%d generators against one: D %.3f, p %.3f, %d and %d samples, medians %.0f and %.0f"
                + " ms%n",
            generators,
            distance,
            p,
            times.get(1).length,
            times.get(generators).length,
            median(times.get(1)),
            median(times.get(generators)));
        assertThat(p).as("%s generators, distance %s", generators, distance).isGreaterThan(0.001);
      }
    }
  }

  private double[] times(Lab lab, List<GeneratorMachine> on) throws Exception {
    URI target = lab.target().orElseThrow();
    LoadRequest request =
        new LoadRequest(
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
                "400"),
            Files.createTempDirectory(directory, "trial"));
    try (LoadGenerator generator = new SpreadGenerator(on, new SplitRules(false, true));
        LoadGenerator.PreparedLoad prepared = generator.prepare(request)) {
      RunningLoad load = prepared.begin();
      await().atMost(LIMIT).until(() -> load.progress().samples() >= SAMPLES || !load.isAlive());
      assertThat(load.failure()).isEmpty();
      return times(load.stop());
    }
  }

  /** The second half of each generator's samples, when all its classes are compiled. */
  private static double[] times(FinishedLoad finished) {
    List<Double> times = new ArrayList<>();
    List<String> users = new ArrayList<>();
    for (GeneratorOutput output : finished.generators()) {
      users.addAll(SampleRows.users(output.samples()));
      List<String> rows = SampleRows.of(output.samples());
      for (int row = rows.size() / 2; row < rows.size(); row += EVERY) {
        times.add(Double.valueOf(rows.get(row).split(",", 3)[1]));
      }
    }
    assertThat(users)
        .as("each user is one generator's")
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, USERS).mapToObj(number -> "users 1-" + number).toList());
    return times.stream().mapToDouble(Double::doubleValue).toArray();
  }

  private static double median(double[] times) {
    double[] sorted = times.clone();
    java.util.Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }
}
