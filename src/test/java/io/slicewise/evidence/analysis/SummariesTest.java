package io.slicewise.evidence.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.facts.ShareMethod;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Stop;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WorkloadSpec;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.run.UncountedLoad;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects: one trial is one observation, only valid ones count, and what is missing is told. */
class SummariesTest {
  private final Experiment experiment = Trials.experiment(List.of(25, 50), 3, "base", "fast");

  @Test
  void cellsStandByUsersThenInTheOrderOfProfiles() {
    SweepSummary summary = Summaries.summarise(experiment, List.of(), List.of());

    assertThat(summary.cells())
        .extracting(cell -> cell.load() + cell.profile())
        .containsExactly("25base", "25fast", "50base", "50fast");
    assertThat(summary.cells()).allMatch(cell -> cell.n() == 0 && cell.metrics().isEmpty());
    assertThat(summary.trials().planned()).isEqualTo(12);
    assertThat(summary.trials().finished()).isZero();
  }

  @Test
  void intervalIsOverTrials() {
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.trial(1, "base", 25, 1, 10),
                Trials.trial(2, "base", 25, 2, 12),
                Trials.trial(3, "base", 25, 3, 14)),
            List.of());

    Estimate throughput = summary.cells().get(0).metrics().get(Metric.THROUGHPUT);
    assertThat(throughput.mean()).isEqualTo(12);
    assertThat(throughput.n()).isEqualTo(3);
    assertThat(throughput.halfWidth()).isCloseTo(4.968275, within(1e-6));
    assertThat(summary.cells().get(0).metrics().get(Metric.P95).mean())
        .isCloseTo((5000 + 50000.0 / 12 + 50000.0 / 14) / 3, within(1e-9));
  }

  @Test
  void invalidTrialsLeaveWithTheirReasons() {
    TrialResult bad =
        Trials.result(
            new Trial(4, 1, "fast", Load.of(25), 1),
            List.of("errors 3.1 % > 0.5 %"),
            Trials.load(100, 1, 2, 3));

    SweepSummary summary = Summaries.summarise(experiment, List.of(bad), List.of());

    assertThat(summary.cells().get(1).n()).isZero();
    assertThat(summary.exclusions().excluded())
        .singleElement()
        .satisfies(
            exclusion -> {
              assertThat(exclusion.slug()).isEqualTo("0004-fast-u25-r1");
              assertThat(exclusion.reasons()).containsExactly("errors 3.1 % > 0.5 %");
            });
    assertThat(summary.notes()).contains("trials excluded by profile: fast 1");
  }

  @Test
  void percentileKnownInSomeTrialsIsEstimatedFromThoseAndSaysSo() {
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.trial(1, "base", 25, 1, 10),
                Trials.result(
                    new Trial(2, 2, "base", Load.of(25), 2),
                    List.of(),
                    Trials.load(12, 90, Double.NaN, Double.NaN))),
            List.of());

    CellSummary cell = summary.cells().get(0);
    assertThat(cell.n()).isEqualTo(2);
    assertThat(cell.metrics().get(Metric.P95).n()).isEqualTo(1);
    assertThat(summary.notes()).contains("base, 25 users: p95 is known in only 1 of 2 trials");
  }

  @Test
  void shareThatCouldNotBeKnownIsNotZero() {
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.result(
                    new Trial(1, 1, "base", Load.of(25), 1),
                    List.of(),
                    null,
                    new DomainShares("web", 1, 2, 0.2, Double.NaN, Double.NaN, "no wait column"))),
            List.of());

    CellSummary.DomainSummary web = summary.cells().get(0).domains().get(0);
    assertThat(web.run().mean()).isEqualTo(0.2);
    assertThat(web.waiting().n()).isZero();
    assertThat(web.waiting().mean()).isNaN();
    assertThat(summary.cells().get(0).metrics()).isEmpty();
  }

  @Test
  void publishedMethodsDivideByThePcpusAndUseTheNormalQuantile() {
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.trial(1, "base", 25, 1, 10),
                Trials.trial(2, "base", 25, 2, 12),
                Trials.trial(3, "base", 25, 3, 14)),
            List.of(),
            IntervalMethod.PUBLISHED,
            new ShareMethod.Published(4),
            Optional.empty());

    CellSummary cell = summary.cells().get(0);
    assertThat(cell.metrics().get(Metric.THROUGHPUT).halfWidth())
        .isCloseTo(1.959963984540054 * 2 / Math.sqrt(3), within(1e-12));
    assertThat(cell.domains().get(0).run().mean()).isCloseTo(0.10, within(1e-12));
    assertThat(cell.domains().get(0).blocked().mean()).isCloseTo(0.35, within(1e-12));
    assertThat(cell.domains().get(0).waiting().mean()).isCloseTo(0.55, within(1e-12));
    assertThat(summary.notes()).anyMatch(note -> note.contains("2010 study"));
  }

  @Test
  void outlierIsNamedAndKept() {
    Experiment five = five();
    List<TrialResult> results =
        List.of(
            Trials.trial(1, "base", 25, 1, 10),
            Trials.trial(2, "base", 25, 2, 11),
            Trials.trial(3, "base", 25, 3, 12),
            Trials.trial(4, "base", 25, 4, 13),
            Trials.trial(5, "base", 25, 5, 30));

    SweepSummary summary = Summaries.summarise(five, results, List.of());

    assertThat(summary.cells().get(0).n()).isEqualTo(5);
    assertThat(summary.notes())
        .anyMatch(note -> note.startsWith("0005-base-u25-r5: throughput 30"));
  }

  @Test
  void outliersOfSeveralTrialsAreOneLine() {
    List<TrialResult> results = new ArrayList<>();
    double[] rates = {10, 11, 12, 13, 30};
    for (int cell = 0; cell < 2; cell++) {
      for (int block = 1; block <= 5; block++) {
        results.add(
            Trials.trial(
                cell * 5 + block,
                cell == 0 ? "base" : "heavy",
                25,
                block,
                rates[block - 1] + cell));
      }
    }
    assertThat(
            Summaries.summarise(
                    Trials.experiment(List.of(25), 5, "base", "heavy"), results, List.of())
                .notes())
        .filteredOn(note -> note.contains("throughput"))
        .containsExactly(
            "2 trials: throughput 30.00 to 31.00 /s is outside Tukey's fences of its cell; it is"
                + " not excluded: 0005-base-u25-r5, 0010-heavy-u25-r5");
  }

  @Test
  void outlierOfTheMetricThatDecidesIsNamedWhicheverThatIs() {
    List<TrialResult> results = new ArrayList<>();
    double[] means = {80, 81, 82, 83, 190};
    for (int block = 1; block <= 5; block++) {
      results.add(
          Trials.result(
              new Trial(block, block, "base", Load.of(25), block),
              List.of(),
              Trials.load(1, means[block - 1], Double.NaN, Double.NaN)));
    }
    assertThat(Summaries.summarise(five(), results, List.of()).notes())
        .anyMatch(note -> note.startsWith("0005-base-u25-r5: mean 190"));
  }

  @Test
  void labelWithoutASampleInATrialCountsThereAtARateOfNought() {
    List<TrialResult> results =
        List.of(
            labelled(1, "base", Trials.load(40, 10, 20, 30), Trials.load(20, 50, 60, 70)),
            labelled(2, "base", Trials.load(44, 10, 20, 30)),
            labelled(3, "fast", Trials.load(50, 10, 20, 30)));
    SweepSummary summary = Summaries.summarise(experiment, results, List.of());

    List<CellSummary.LabelSummary> base = summary.cells().get(0).labels();
    assertThat(base).extracting(CellSummary.LabelSummary::label).containsExactly("l0", "l1");
    assertThat(base.get(1).metrics().get(Metric.THROUGHPUT).mean()).isEqualTo(10);
    assertThat(base.get(1).metrics().get(Metric.THROUGHPUT).n()).isEqualTo(2);
    assertThat(base.get(1).metrics().get(Metric.MEAN).mean()).isEqualTo(50);
    assertThat(base.get(1).metrics().get(Metric.MEAN).n()).isEqualTo(1);
    List<CellSummary.LabelSummary> fast = summary.cells().get(1).labels();
    assertThat(fast.get(1).metrics().get(Metric.THROUGHPUT).mean()).isZero();
    assertThat(fast.get(1).metrics()).doesNotContainKey(Metric.MEAN);
    assertThat(summary.notes())
        .anyMatch(note -> note.startsWith("by label: a trial without samples"));
    assertThat(Summaries.summarise(experiment, results.subList(0, 1), List.of()).notes())
        .noneMatch(note -> note.startsWith("by label"));
  }

  private static TrialResult labelled(int number, String profile, LoadResult... labels) {
    LoadResult sum = Trials.load(100, 10, 20, 30);
    List<LoadResult> named = new ArrayList<>();
    for (LoadResult label : labels) {
      named.add(with("l" + named.size(), label, List.of()));
    }
    return Trials.result(
        new Trial(number, number, profile, Load.of(25), number),
        List.of(),
        with("total", sum, named));
  }

  private static LoadResult with(String name, LoadResult load, List<LoadResult> labels) {
    return UncountedLoad.of(
        name,
        load.samples(),
        load.failed(),
        Map.of(),
        load.throughput(),
        load.meanMillis(),
        load.deviationMillis(),
        load.p50Millis(),
        load.p95Millis(),
        load.p99Millis(),
        0,
        "",
        labels,
        List.of(),
        load.steady());
  }

  @Test
  void sharesHaveNoLogarithmAndKeepStudentsMean() {
    List<TrialResult> results =
        List.of(Trials.trial(1, "base", 25, 1, 10), Trials.trial(2, "base", 25, 2, 40));
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            results,
            List.of(),
            IntervalMethod.LOG,
            new ShareMethod.OwnVcpus(),
            Optional.empty());
    assertThat(summary.cells().get(0).metrics().get(Metric.THROUGHPUT).mean())
        .isCloseTo(20, within(1e-9));
    assertThat(Metric.ERRORS.estimate(IntervalMethod.LOG, 0.95, 0.001, 0.004).mean())
        .isCloseTo(0.0025, within(1e-12));
  }

  @Test
  void metricThatDecidedHowManyTrialsHasThatRulesInterval() {
    Experiment goal =
        Trials.withStop(five(), new Stop(0.03, Stop.Rule.TWO_STAGE, 12, Duration.ofHours(8)));
    List<TrialResult> results = new ArrayList<>();
    double[] rates = {98, 100, 102, 104, 96, 101, 99};
    for (int block = 1; block <= rates.length; block++) {
      results.add(Trials.trial(block, "base", 25, block, rates[block - 1]));
    }
    SweepSummary summary = Summaries.summarise(goal, results, List.of());
    Estimate p95 = summary.cells().get(0).metrics().get(Metric.P95);
    // t(4) times the first five's scatter of logarithms over the root of seven.
    assertThat(Math.log(p95.high() / p95.low()) / 2).isCloseTo(0.03320225019693, within(1e-9));
    assertThat(summary.trials().planned()).isEqualTo(7);
    assertThat(summary.notes())
        .contains("wider than +-3%: base at 25 users (+-3.4 %)")
        .anyMatch(note -> note.startsWith("p95 is a geometric mean with the interval of Stein"));
  }

  @Test
  void slowBlocksAreNoDriftOfTheHost() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 6; block++) {
      double pace = (block <= 3 ? 100 : 70) + block % 2;
      results.add(Trials.trial(2 * block - 1, "base", 25, block, pace));
      results.add(Trials.trial(2 * block, "heavy", 25, block, 1.1 * pace + (block % 3) * 0.2));
    }
    assertThat(
            Summaries.summarise(
                    Trials.experiment(List.of(25), 6, "base", "heavy"), results, List.of())
                .notes())
        .anyMatch(note -> note.startsWith("order drift of p95: none shown"));
  }

  @Test
  void driftOfTheHostIsTold() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 12; block++) {
      results.add(Trials.trial(block, "base", 25, block, 100 * Math.pow(1.01, block)));
    }
    assertThat(Summaries.summarise(five(), results, List.of()).notes())
        .anyMatch(note -> note.matches("order drift of p95 \\(p 0.000\\): -0.99 % per trial; .*"));
  }

  @Test
  void attemptsOfOneTrialAreOneTrialAndAllTheirReasonsAreKept() {
    List<TrialResult> results =
        List.of(
            Trials.result(
                new Trial(1, 1, "base", Load.of(25), 1),
                List.of("errors"),
                Trials.load(10, 1, 2, 3)),
            Trials.result(
                new Trial(1, 1, "base", Load.of(25), 1, 2),
                List.of("idle"),
                Trials.load(10, 1, 2, 3)),
            Trials.result(
                new Trial(1, 1, "base", Load.of(25), 1, 3), List.of(), Trials.load(10, 1, 2, 3)));
    SweepSummary summary = Summaries.summarise(five(), results, List.of());
    assertThat(summary.trials().finished()).isEqualTo(1);
    assertThat(summary.cells().get(0).n()).isEqualTo(1);
    assertThat(summary.exclusions().excluded()).isEmpty();
    assertThat(summary.exclusions().replaced())
        .extracting(SweepSummary.Exclusion::slug)
        .containsExactly("0001-base-u25-r1", "0001-base-u25-r1-try2");
    assertThat(GroupedNote.excluded(summary))
        .extracting(GroupedNote::line)
        .containsExactly("1 trial replaced: errors: 0001", "1 trial replaced: idle: 0001");
    assertThat(summary.exclusions().trials()).isZero();
    assertThat(summary.notes())
        .contains("trials replaced by profile: base 1")
        .noneMatch(note -> note.startsWith("trials excluded"));
  }

  private static Experiment five() {
    return Trials.experiment(List.of(25), 5, "base");
  }

  @Test
  void warningsAreToldOnceWithTheirRange() {
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.warned(Trials.trial(1, "base", 25, 1, 10), "3.3 tasks a core waited"),
                Trials.trial(2, "base", 25, 2, 12),
                Trials.result(
                    new Trial(2, 2, "base", Load.of(25), 2, 2),
                    List.of(),
                    Trials.load(10, 1, 2, 3)),
                Trials.warned(Trials.trial(3, "base", 25, 3, 14), "7.8 tasks a core waited")),
            List.of());
    assertThat(summary.notes()).contains("2 of 3 trials: 3.3 to 7.8 tasks a core waited");
  }

  @Test
  void usersThatArriveAtARateAreNoClosedLoad() {
    List<TrialResult> results = List.of(Trials.trial(1, "base", 25, 1, 10));
    Experiment open =
        experiment.withWorkload(
            new WorkloadSpec(
                "web-app", Optional.empty(), Optional.empty(), Map.of("rate", "12.5")));
    assertThat(Summaries.summarise(experiment, results, List.of()).notes())
        .anyMatch(note -> note.startsWith("closed load"));
    assertThat(Summaries.summarise(open, results, List.of()).notes())
        .noneMatch(note -> note.startsWith("closed load"));
  }

  @Test
  void domainsStandInTheExperimentsOrderWhateverTheHosts() {
    DomainShares stranger = new DomainShares("build", 9, 1, 0.1, 0.1, 0.8, "");
    DomainShares dom0 = new DomainShares("Domain-0", 0, 4, 0.1, 0.1, 0.8, "");
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.result(
                    new Trial(1, 1, "base", Load.of(25), 1), List.of(), null, stranger, dom0)),
            List.of());
    assertThat(summary.cells().get(0).domains())
        .extracting(CellSummary.DomainSummary::domain)
        .containsExactly("Domain-0", "build");
  }

  @Test
  void percentileThatNoTrialKnowsIsExplained() {
    SweepSummary summary =
        Summaries.summarise(
            experiment,
            List.of(
                Trials.result(
                    new Trial(1, 1, "base", Load.of(25), 1),
                    List.of(),
                    Trials.load(12, 90, 120, Double.NaN))),
            List.of());
    assertThat(summary.notes())
        .contains("p99 is unknown: it needs 1,000 samples in a trial's window")
        .noneMatch(note -> note.startsWith("p95 is not known"));
  }
}
