package io.slicewise.evidence.look;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.cli.lab.VirtualRun;
import io.slicewise.evidence.look.Ceiling.Verdict;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.host.Accounts;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.LabOptions;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.run.StopRequest;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Protects the ceiling: no change of settings gains more than it, where no cap is in force, and
 * without contention it is next to nothing.
 */
class CeilingTest {
  /** The scatter of two trials. */
  private static final double SCATTER = 0.04;

  private static final String EXPERIMENT =
      """
      name: pairs
      lab:
        version: xl-4.17
        demand-factor: %s
        scheduler: %s
        guests:
          - {name: Web, vcpus: %d}
          - {name: Files, vcpus: 2}
          - {name: Db, vcpus: 2}
      %s
      domains: {main: [Web, Files, Db]%s}
      profiles:
      %s
      workload: web-app
      order: as-written
      %s
      repetitions: 1
      ramp: 1s
      warm-up: 5s
      measure: 60s
      seed: %d
      """;

  @TempDir private Path directory;

  private static DomainShares shares(int vcpus, double run, double waiting, Reading... others) {
    return new DomainShares("web", 1, vcpus, run, waiting, 1 - run - waiting, "")
        .with(List.of(others));
  }

  private static Ceiling of(DomainShares shares) {
    return Ceiling.of(shares, OptionalDouble.empty());
  }

  @ParameterizedTest
  @CsvSource({
    // One vCPU ran 40 % and waited 20 %: f = 2/3, f²(1 − 0.6)/(1 − 0.4) = 0.296.
    "1, 0.4, 0.2, GAIN, 0.333, 0.704",
    // Its programs may use one vCPU at a time.
    "2, 0.2, 0.1, GAIN, 0.333, 0.704",
    "1, 0.4, 0.001, NOTHING_TO_GAIN, 0.002, 0.007",
    "1, 0.7, 0.29, SATURATED, 0.293, NaN",
    // It computes without end, and nobody keeps it from that.
    "2, 1, 0, NOTHING_TO_GAIN, 0, NaN",
    "2, 0.003, 0.001, IDLE, NaN, NaN",
    "1, 0.4, NaN, UNKNOWN, NaN, NaN",
    "1, NaN, NaN, UNKNOWN, NaN, NaN",
  })
  void followsFromRunAndWait(
      int vcpus, double run, double waiting, Verdict verdict, double closed, double open) {
    Ceiling ceiling = of(shares(vcpus, run, waiting));
    assertThat(ceiling.verdict()).isEqualTo(verdict);
    assertThat(new double[] {ceiling.closed(), ceiling.open()})
        .containsExactly(new double[] {closed, open}, within(0.001));
  }

  @Test
  void aCapInForceIsTheCauseAndLeavesNoCeiling() {
    Reading throttled = Reading.share(Accounts.THROTTLED, 0.1);
    Reading never = Reading.share(Accounts.THROTTLED, 0);
    assertThat(of(shares(1, 0.4, 0.2, throttled)).verdict()).isEqualTo(Verdict.CAPPED);
    // A quota that never held it back is no cause, and a cap that is not counted may be.
    OptionalDouble cap = OptionalDouble.of(0.5);
    assertThat(Ceiling.of(shares(1, 0.4, 0.2, never), cap).verdict()).isEqualTo(Verdict.GAIN);
    assertThat(Ceiling.of(shares(1, 0.4, 0.2), cap).verdict()).isEqualTo(Verdict.CAPPED);
    assertThat(Ceiling.of(shares(1, 0.4, 0.2), cap).most()).isNaN();
    assertThat(Ceiling.of(shares(1, 0.04, 0.001), cap).verdict())
        .isEqualTo(Verdict.NOTHING_TO_GAIN);
  }

  /** The demonstration's host: weights gain much there, and never more than its ceiling. */
  @Test
  void noWeightGainsMoreThanTheCeilingOfTheDemonstration() throws IOException {
    List<Pair> pairs =
        pairs("0.5", "credit", 1, 1, List.of("256", "1024", "4096"), "users: [10]", 1);
    assertThat(pairs).hasSize(6).allMatch(pair -> pair.gain <= pair.ceiling + SCATTER);
    Pair first =
        pairs.stream()
            .filter(pair -> pair.what.contains("w256 to w1024"))
            .findFirst()
            .orElseThrow();
    assertThat(first.gain).isGreaterThan(0.25);
    assertThat(first.ceiling).isBetween(0.5, 0.65);
  }

  @Test
  void withoutANeighbourThereIsNextToNothingToGain() throws IOException {
    List<Pair> pairs = pairs("0.5", "credit", 1, 0, List.of("256", "1024"), "users: [1]", 1);
    assertThat(pairs).allMatch(pair -> pair.ceiling < 2 * Ceiling.LITTLE);
  }

  /** A pair of settings at a load: the ceiling under the first, and the gain of the second. */
  private record Pair(String what, double ceiling, double gain) {}

  private List<Pair> pairs(
      String factor,
      String scheduler,
      int webVcpus,
      int neighbours,
      List<String> weights,
      String load,
      int seed)
      throws IOException {
    StringBuilder guests = new StringBuilder();
    List<String> others = new ArrayList<>();
    for (int i = 1; i <= neighbours; i++) {
      guests.append("    - {name: Batch_%d, vcpus: 4, burns: true}%n".formatted(i));
      others.add("Batch_" + i);
    }
    StringBuilder profiles = new StringBuilder();
    weights.forEach(
        weight ->
            profiles.append(
                "  - {name: w%1$s, scheduler: %2$s, main: {weight: %1$s}}%n"
                    .formatted(weight, scheduler)));
    Path file =
        Files.writeString(
            directory.resolve("pairs.yaml"),
            EXPERIMENT.formatted(
                factor,
                scheduler,
                webVcpus,
                guests,
                others.isEmpty() ? "" : ", other: " + others,
                profiles,
                load,
                seed));
    List<TrialResult> trials = new ArrayList<>();
    VirtualRun.of(
        ExperimentFiles.read(file, LabOptions.keys()),
        directory.resolve("results"),
        new StopRequest(Clock.systemUTC()),
        trials::add);
    boolean closed = load.startsWith("users");
    List<Pair> pairs = new ArrayList<>();
    for (TrialResult one : trials) {
      double ceiling = ceiling(one, closed ? Ceiling::closed : Ceiling::open);
      for (TrialResult other : trials) {
        if (!other.trial().profile().equals(one.trial().profile())
            && other.trial().load().equals(one.trial().load())) {
          pairs.add(
              new Pair(
                  "%s x%s web %d beside %d: %s to %s at %s"
                      .formatted(
                          scheduler,
                          factor,
                          webVcpus,
                          neighbours,
                          one.trial().profile(),
                          other.trial().profile(),
                          one.trial().load()),
                  ceiling,
                  1 - mean(other) / mean(one)));
        }
      }
    }
    return pairs;
  }

  private static double mean(TrialResult trial) {
    return trial.load().orElseThrow().meanMillis();
  }

  /** The highest ceiling of the guests that a request passes; 1 if one has no bound. */
  private static double ceiling(TrialResult trial, ToDoubleFunction<Ceiling> kind) {
    return trial.shares().stream()
        .filter(shares -> !shares.domain().startsWith("Batch"))
        .map(CeilingTest::of)
        .filter(ceiling -> ceiling.verdict() != Verdict.IDLE)
        .mapToDouble(kind)
        .map(bound -> Double.isNaN(bound) ? 1 : bound)
        .max()
        .orElse(0);
  }

  @Test
  @Tag("nightly")
  void holdsOverManySettingsLoadsAndNeighbours() throws IOException {
    List<Pair> all = new ArrayList<>();
    for (String scheduler : List.of("credit", "credit2")) {
      for (String factor : List.of("0.25", "0.5")) {
        for (int web : List.of(1, 2)) {
          for (int beside = 0; beside <= 2; beside++) {
            List<String> weights = List.of("64", "256", "1024", "4096");
            String rates = "rate: [10, 40]";
            all.addAll(pairs(factor, scheduler, web, beside, weights, "users: [2, 10]", 7));
            all.addAll(pairs(factor, scheduler, web, beside, weights, rates, 7));
          }
        }
      }
    }
    List<Pair> beyond = all.stream().filter(pair -> pair.gain > pair.ceiling + SCATTER).toList();
    assertThat(all).filteredOn(pair -> pair.ceiling < 1).hasSizeGreaterThan(1000);
    assertThat(beyond).hasSizeLessThan(all.size() / 100);
  }
}
