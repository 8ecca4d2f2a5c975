package io.slicewise.study.edge;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.run.result.Measured;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each sentence about how many guests fit is about what was measured, also where little was. */
class ConsolidationStudyTest {
  private static final double[] GOOD = {100, 101, 102};
  private static final double[] BAD = {400, 401, 402};
  private static final double[] CLOSE = {150, 250, 350};

  @TempDir private Path directory;
  private final List<Measured> measured = new ArrayList<>();

  private Experiment experiment(String guests) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("fit.yaml"),
            """
            name: fit
            host: {address: dom0.example}
            domains: {main: [web-1, web-2, web-3, web-4]}
            profiles: [{name: even, scheduler: credit, main: {weight: 256}}]
            workload:
              name: vps
              guests:
                - {name: web-1, target: "http://a/"}
                - {name: web-2, target: "http://b/"}
                - {name: web-3, target: "http://c/"}
                - {name: web-4, target: "http://d/"}
            users: 6
            guests: %s
            goal: p95 < 250ms
            order: edge
            repetitions: 3
            """
                .formatted(guests)));
  }

  /** Trials of some guests, whose p95 are these; the last guest's are as many times as large. */
  private void measure(Experiment experiment, int guests, double[] times, double last) {
    for (double time : times) {
      Map<String, Double> metrics = new HashMap<>(Map.of("throughput", 20.0 * guests));
      for (int guest = 1; guest <= guests; guest++) {
        metrics.put(Measured.of("p95", "web-" + guest), time * (guest == guests ? last : 1));
      }
      add(experiment, guests, true, metrics, 0.3);
    }
  }

  private void add(
      Experiment experiment, int guests, boolean valid, Map<String, Double> metrics, double run) {
    int number = measured.size() + 1;
    Load load = experiment.loads().get(0).with(Axis.GUESTS, Level.of(guests));
    List<DomainShares> shares = new ArrayList<>();
    for (int guest = 1; guest <= guests; guest++) {
      shares.add(new DomainShares("web-" + guest, guest, guest, run, 0, 1 - run, ""));
    }
    measured.add(
        new Measured(
            new Trial(number, number, "even", load, number),
            valid,
            metrics,
            shares,
            30,
            false,
            Optional.empty(),
            4));
  }

  private ConsolidationStudy study(Experiment experiment) {
    return ConsolidationStudy.of(new EdgeCourse(experiment, measured));
  }

  @Test
  void bothSidesOfTheEdgeAreNamed() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, GOOD, 1);
    measure(experiment, 2, GOOD, 1);
    measure(experiment, 3, BAD, 1.1);
    assertThat(study(experiment).answer())
        .startsWith(
            "2 guests fit with even, and the third does not: p95 of web-3: 441 ms [438, 444]")
        // Their vCPUs differ: 1 + 2 of them for 4 pCPUs.
        .endsWith("2 guests: 0.75 vCPUs per pCPU");
  }

  @Test
  void numbersThatAreNotNeighboursAreNoEdge() throws IOException {
    Experiment experiment = experiment("[1, 4]");
    measure(experiment, 1, GOOD, 1);
    measure(experiment, 4, BAD, 1);
    assertThat(study(experiment).answer())
        .startsWith("1 guest fits with even, and 4 do not: p95 of web-")
        .contains("(none between was to be measured)")
        .doesNotContain("fourth");
  }

  @Test
  void allThatWereToBeMeasuredIsNoEdge() throws IOException {
    Experiment experiment = experiment("1..2");
    measure(experiment, 1, GOOD, 1);
    measure(experiment, 2, GOOD, 1);
    assertThat(study(experiment).answer())
        .startsWith("2 guests fit with even, the most that were to be measured")
        .doesNotContain("limited by");
    assertThat(study(experiment).edges().get(0).limit()).isEmpty();
  }

  @Test
  void whatIsNotDecidedIsNoEdge() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, GOOD, 1);
    for (int round = 0; round < 3; round++) {
      measure(experiment, 2, CLOSE, 1);
    }
    measure(experiment, 3, BAD, 1);
    ConsolidationStudy study = study(experiment);
    assertThat(study.answer())
        .startsWith("1 guest fits with even, and 2 guests are not decided: p95 of web-")
        .contains(", and 3 do not fit: p95 of web-");
    assertThat(study.edges().get(0).found()).isFalse();
  }

  @Test
  void aSingleTrialHasNoIntervalAndNoVerdict() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, new double[] {100}, 1);
    assertThat(study(experiment).answer())
        .startsWith(
            "none is known to fit with even: 1 guest is not decided: p95 of web-1: 100 ms (from one"
                + " trial, so without an interval)")
        .doesNotContain("NaN");
  }

  @Test
  void trialsUnderWayDecideNothing() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, new double[] {100, 101}, 1);
    ConsolidationStudy study = study(experiment);
    assertThat(study.answer()).contains("1 guest is not decided");
    assertThat(study.levels().get(0).verdict()).hasToString("UNDECIDED");
  }

  @Test
  void trialsThatDoNotCountAreNamedAndEndTheSearch() throws IOException {
    Experiment experiment = experiment("1..4");
    for (int trial = 0; trial < 9; trial++) {
      add(experiment, 1, false, Map.of("throughput", 20.0), 0.3);
    }
    ConsolidationStudy study = study(experiment);
    assertThat(study.answer())
        .isEqualTo("none is known to fit with even: no trial of 1 guest counts");
    assertThat(new EdgeCourse(experiment, measured).next()).isEmpty();
    assertThat(study.cost()).isEqualTo(new EdgeCourse.Cost(1, 4, 9, 9));
    assertThat(GuestFigure.of(study).note()).isEqualTo("Nothing was measured.");
  }

  @Test
  void aMetricThatIsNotKnownIsNamedAndEndsTheSearch() throws IOException {
    Experiment experiment = experiment("1..4");
    for (int trial = 0; trial < 9; trial++) {
      add(experiment, 1, true, Map.of("throughput", 20.0), 0.3);
    }
    assertThat(study(experiment).answer())
        .isEqualTo(
            "none is known to fit with even: 1 guest is not decided: p95 of web-1 is not known in any"
                + " of 9 trials, limit 250 ms");
    assertThat(new EdgeCourse(experiment, measured).next()).isEmpty();
  }

  @Test
  void evenTheFewestBreakTheLimit() throws IOException {
    Experiment experiment = experiment("2..4");
    measure(experiment, 2, BAD, 1);
    assertThat(study(experiment).answer()).startsWith("even 2 guests break the limit with even");
  }

  @Test
  void theGuestThatDecidesIsTheOneBeyondItsLimit() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, GOOD, 1);
    for (double[] pair : new double[][] {{300, 260}, {301, 900}, {302, 100}}) {
      add(
          experiment,
          2,
          true,
          Map.of(
              "throughput",
              40.0,
              Measured.of("p95", "web-1"),
              pair[0],
              Measured.of("p95", "web-2"),
              pair[1]),
          0.3);
    }
    assertThat(study(experiment).answer()).contains("the second does not: p95 of web-1: 301 ms");
  }

  @Test
  void theResourceThatLimitsIsThatOfTheNumberThatDoesNotFit() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, GOOD, 1);
    Map<String, Double> bad = new HashMap<>(Map.of("throughput", 40.0));
    bad.put(Measured.of("p95", "web-1"), 400.0);
    bad.put(Measured.of("p95", "web-2"), 400.0);
    for (int trial = 0; trial < 3; trial++) {
      add(experiment, 2, true, bad, 0.95);
    }
    assertThat(study(experiment).answer())
        .contains(
            "with even, 2 guests are limited by the guests' own vCPUs (busy 95 % of the time)");
  }

  @Test
  void aGuestAtItsCapIsNotSaidToHaveCpuTimeLeft() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, GOOD, 1);
    measure(experiment, 2, BAD, 1.1);
    List<Measured> capped =
        measured.stream().map(one -> one.trial().number() < 4 ? one : capped(one)).toList();
    assertThat(ConsolidationStudy.of(new EdgeCourse(experiment, capped)).answer())
        .contains(
            "2 guests are limited by the CPU time that web-2 gets (it ran 30 % of the time, and for"
                + " 65 % it waited for a pCPU or was capped)");
  }

  private static Measured capped(Measured trial) {
    return new Measured(
        trial.trial(),
        true,
        trial.metrics(),
        List.of(
            new DomainShares("web-1", 1, 1, 0.3, 0, 0.7, ""),
            new DomainShares("web-2", 2, 1, 0.3, 0.65, 0.05, "")),
        30,
        false,
        Optional.empty(),
        4);
  }

  @Test
  void aNumberThatFitsAboveOneThatDoesNotIsNamed() throws IOException {
    Experiment experiment = experiment("1..4");
    measure(experiment, 1, GOOD, 1);
    measure(experiment, 2, BAD, 1);
    measure(experiment, 3, GOOD, 1);
    assertThat(study(experiment).answer()).contains("yet 3 guests met the limit with even");
  }
}
