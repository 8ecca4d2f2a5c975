package io.slicewise.evidence.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.evidence.analysis.Trials;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Experiment.Testbed;
import io.slicewise.experiment.Generators;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.Watching;
import io.slicewise.experiment.load.Load;
import io.slicewise.host.Accounts;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.observe.Observation.Reading;
import io.slicewise.profile.Role;
import io.slicewise.report.CauseSentences;
import io.slicewise.run.result.TrialResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Protects the decomposition of a response time into waits by domain. */
final class CauseTest {
  private final Experiment experiment = Trials.experiment(List.of(25), 3, "base", "tuned");

  /** A trial of 500 requests per second whose MySQL_Server, of 2 vCPUs, waits that share. */
  private static TrialResult trial(
      int number, String profile, int block, double meanMillis, double waiting) {
    return Trials.result(
        new Trial(number, block, profile, Load.of(25), block),
        List.of(),
        Trials.load(500, meanMillis, 2 * meanMillis, 3 * meanMillis),
        new DomainShares("Apache_Server", 1, 1, 0.5, 0.1, 0.4, ""),
        new DomainShares("MySQL_Server", 2, 2, 0.3, waiting, 0.7 - waiting, ""));
  }

  @Test
  void waitsOfADomainExplainTheirPartOfTheChange() {
    List<TrialResult> results = new ArrayList<>();
    double[] base = {50, 52, 51};
    double[] tuned = {47.2, 49.3, 48.1};
    for (int block = 1; block <= 3; block++) {
      results.add(trial(2 * block - 1, "base", block, base[block - 1], 0.65 + 0.01 * block));
      results.add(trial(2 * block, "tuned", block, tuned[block - 1], 0.15 + 0.01 * block));
    }

    Cause cause = Cause.of(experiment, results).get(0);

    assertThat(cause.profile()).isEqualTo("tuned");
    assertThat(cause.response().value()).isCloseTo(-2.8, within(1e-9));
    Cause.Station first = cause.stations().get(0);
    assertThat(first.domain()).isEqualTo("MySQL_Server");
    // 0.67 of two vCPUs' time at 500 requests per second is 2.68 ms for each of them.
    assertThat(first.waiting().from()).isCloseTo(2.68, within(1e-9));
    assertThat(first.waiting().to()).isCloseTo(0.68, within(1e-9));
    assertThat(first.running().value()).isCloseTo(0, within(1e-9));
    assertThat(cause.unexplained().value()).isCloseTo(-0.8, within(1e-9));
    // Differences of -2.8, -2.7 and -2.9 less -2 each: s = 0.1, t(0.975; 2) = 4.302653.
    assertThat(cause.unexplained().low(0.95)).isCloseTo(-1.048414, within(1e-6));
  }

  /** A trial of a group of eight tasks on one pCPU. */
  private static TrialResult group(int number, String profile, int block, double run) {
    double waiting = 8 * (1 - run);
    return Trials.result(
        new Trial(number, block, profile, Load.of(25), block),
        List.of(),
        Trials.load(500, 2 * waiting, 50, 60),
        new DomainShares("Apache_Server", 1, 1, run, 1 - run, 0, "")
            .with(
                List.of(
                    new Reading(Accounts.TASKS_WAITING, "", waiting),
                    Reading.share(Accounts.THROTTLED, 0),
                    Reading.share(Accounts.OUTSIDE_RUN, 0.01 * block)),
                List.of(Reading.share("batch", 0.99 - run))));
  }

  @Test
  void tasksThatWaitAreCountedAndWhoRanMeanwhileIsNamed() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 3; block++) {
      results.add(group(2 * block - 1, "base", block, 0.5 + 0.001 * block));
      results.add(group(2 * block, "tuned", block, 0.2 + 0.002 * block));
    }
    Cause cause = Cause.of(experiment, results).get(0);
    Cause.Station web = cause.stations().get(0);
    assertThat(web.waiting().from()).isCloseTo(7.968, within(1e-3));
    assertThat(web.waiting().value()).isCloseTo(cause.response().value(), within(1e-9));
    assertThat(cause.unexplained().value()).isCloseTo(0, within(1e-9));
    assertThat(web.takers().get(0).who()).isEqualTo("batch");
    assertThat(web.takers().get(0).share().value()).isCloseTo(0.298, within(1e-9));
    assertThat(CauseSentences.of(new Causes(List.of(cause), "", List.of())))
        .singleElement()
        .asString()
        .contains("for Apache_Server's vCPUs, of whose time batch took 78.6 % instead of 48.8 %;")
        .doesNotContain(Cause.Taker.QUOTA)
        .doesNotContain(Cause.Taker.OUTSIDE);
  }

  @Test
  void aNeighboursWaitDelaysNoRequest() {
    Experiment beside =
        new Experiment(
            experiment.name(),
            new Testbed(
                Optional.empty(),
                Map.of(Role.MAIN, List.of("Apache_Server"), Role.OTHER, List.of("MySQL_Server")),
                Optional.empty(),
                Generators.NONE,
                Optional.empty(),
                Watching.NONE),
            experiment.arms(),
            experiment.workload(),
            experiment.loads(),
            experiment.course(),
            experiment.limits(),
            experiment.aim(),
            Optional.empty());
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 2; block++) {
      results.add(trial(2 * block - 1, "base", block, 50 + block, 0.65));
      results.add(trial(2 * block, "tuned", block, 47 + block, 0.15));
    }
    assertThat(Cause.of(beside, results).get(0).stations())
        .extracting(Cause.Station::domain)
        .containsExactly("Apache_Server");
  }

  @Test
  void domainsWhoseWaitIsUnknownExplainNothing() {
    List<TrialResult> results = new ArrayList<>();
    for (int block = 1; block <= 2; block++) {
      for (String profile : List.of("base", "tuned")) {
        results.add(
            Trials.result(
                new Trial(results.size() + 1, block, profile, Load.of(25), block),
                List.of(),
                Trials.load(500, 50, 100, 150),
                new DomainShares("web", 1, 1, 0.5, Double.NaN, Double.NaN, "not measured")));
      }
    }
    assertThat(Cause.of(experiment, results)).isEmpty();
  }
}
