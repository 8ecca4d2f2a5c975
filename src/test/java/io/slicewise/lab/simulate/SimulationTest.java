package io.slicewise.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Order;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.lab.sim.Demands;
import io.slicewise.report.Reports;
import io.slicewise.run.Origin;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects: a simulated run reads like a measured one and never passes for one; the same seed gives
 * the same files, whatever the order and however many trials run side by side; and what has no
 * model is refused.
 */
class SimulationTest {
  @TempDir private Path directory;

  private RunDirectory run(Experiment experiment, String results, int jobs) {
    return Premade.run(experiment, Premade.lab(), directory.resolve(results), jobs);
  }

  @Test
  void theSameSeedGivesTheSameFilesHoweverManyTrialsRunAtATime() throws IOException {
    Experiment experiment = Premade.experiment(directory);
    assertThat(files(run(experiment, "one", 1))).isEqualTo(files(run(experiment, "two", 2)));
  }

  /** The records without the seal, which carries the id of each run. */
  private static Map<String, String> files(RunDirectory run) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (TrialResult result : run.results()) {
      String slug = result.trial().slug();
      String record = Files.readString(run.trialDirectory(slug).resolve("trial.json"));
      files.put(slug, record.replaceFirst("\"run\" : \"\\w+\",\\s*\"sum\" : \"\\w+\"", ""));
    }
    assertThat(files).hasSize(4);
    return files;
  }

  @Test
  void anotherOrderGivesEachTrialTheSameNumbersAndAnotherSeedOthers() throws IOException {
    Experiment blocks = Premade.experiment(directory);
    Experiment written = blocks.inOrder(Order.AS_WRITTEN);
    Map<String, String> first = numbers(run(blocks, "blocks", 2));
    assertThat(numbers(run(written, "written", 2))).isEqualTo(first);
    assertThat(first.values()).doesNotHaveDuplicates();
    assertThat(numbers(run(blocks.seeded(6), "other", 2)).values())
        .doesNotContainAnyElementsOf(first.values());
  }

  private static Map<String, String> numbers(RunDirectory run) {
    return run.results().stream()
        .collect(
            Collectors.toMap(
                result -> result.trial().profile() + result.trial().repetition(),
                result -> result.load() + " " + result.shares()));
  }

  @Test
  void itsRunReadsLikeAMeasuredOneAndSaysItWasSimulated() throws IOException {
    RunDirectory run = run(Premade.experiment(directory), "results", 2);
    assertThat(run.record().state()).isEqualTo(RunState.DONE);
    assertThat(run.results()).hasSize(4).allMatch(TrialResult::valid);
    Reports.Written written = Reports.write(RunDirectory.open(run.root()));
    assertThat(written.summary().origin().kind()).isEqualTo(Origin.Kind.SIMULATED);
    assertThat(written.summary().cells()).hasSize(2).allMatch(cell -> cell.n() == 2);
    assertThat(String.join("\n", written.text().apply(100)))
        .contains("shop (simulated)", "simulated, not measured", "of the lab");
    assertThat(Files.readString(written.html())).contains("simulated, not measured");
    assertThat(run.root().resolve("simulation.json")).content().contains("PT0.016S");
    TrialResult trial = run.results().get(0);
    assertThat(trial.load().orElseThrow().series()).hasSize(8);
    assertThat(trial.monitor().series())
        .hasSize(2 * 4)
        .allSatisfy(series -> assertThat(series.values().size()).isEqualTo(8));
  }

  @Test
  void whatItGivesObeysTheLawsOfQueueing() throws IOException {
    for (TrialResult trial : run(Premade.experiment(directory), "results", 2).results()) {
      double rate = trial.load().orElseThrow().throughput();
      double seconds = trial.load().orElseThrow().meanMillis() / 1000;
      assertThat(rate * seconds).as("Little's law").isCloseTo(20, within(1.0));
      for (DomainShares shares : trial.shares()) {
        double demand = shares.run() * shares.vcpus() / rate;
        assertThat(demand)
            .as(trial.trial().slug() + " " + shares.domain())
            .isCloseTo(wanted(shares.domain()), within(0.0012));
      }
      boolean capped = trial.trial().profile().equals("capped");
      assertThat(share(trial, "web")).isBetween(capped ? 0.3 : 0.7, capped ? 0.45 : 1.0);
    }
  }

  private static double wanted(String domain) {
    return switch (domain) {
      case "web" -> Demands.LAB.web().toNanos() / 1e9;
      case "files" -> Demands.LAB.file().toNanos() / 1e9;
      case "db" -> Demands.LAB.database().toNanos() / 1e9;
      default -> Demands.LAB.dom0().toNanos() / 1e9;
    };
  }

  private static double share(TrialResult trial, String domain) {
    return trial.shares().stream()
        .filter(shares -> shares.domain().equals(domain))
        .mapToDouble(DomainShares::run)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void usersWhoThinkAskLess() throws IOException {
    Experiment thinking =
        Premade.experiment(
            directory,
            "target: \"http://web.example/\"",
            "target: \"http://web.example/\", properties: {think-time: 1000}");
    double rate = run(thinking, "t", 2).results().get(0).load().orElseThrow().throughput();
    assertThat(rate).isBetween(17.0, 20.0);
  }

  @Test
  void refusesWhatHasNoModelNamingAllOfIt() throws IOException {
    refuses(
        "{name: web-app, target: \"http://web.example/\"}",
        "{name: tpch, database: \"jdbc:postgresql://db.example/bench\"}",
        "workload tpch cannot be simulated",
        "observe, portal, tpcb, vps, web-app");
    refuses(
        "{name: web-app, target: \"http://web.example/\"}",
        "{name: tpcb, database: \"jdbc:postgresql://db.example/b\", interference: 1, others:"
            + " [{name: other, database: \"jdbc:postgresql://other.example/b\"}]}",
        "interference of workload tpcb");
    refuses("name: web-app", "name: web-app, plan: own.jmx", "own.jmx) cannot be simulated");
    refuses(
        "target: \"http://web.example/\"",
        "target: \"http://web.example/\", properties: {rate: 20}",
        "open load (rate 20)");
    refuses("[web, files, db]", "[web, files, mysql]", "no domain mysql", "vcpus:");
  }

  private void refuses(String old, String fresh, String... words) throws IOException {
    Experiment experiment = Premade.experiment(directory, old, fresh);
    assertThatThrownBy(() -> Simulation.of(experiment, Premade.lab(), Clock.systemUTC()))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContainingAll(words);
    assertThat(directory.resolve("results")).doesNotExist();
  }

  @Test
  void keepsWhatWasFinishedWhenAskedToStop() throws IOException {
    Clock clock = Clock.systemUTC();
    StopRequest stop = new StopRequest(clock);
    List<TrialResult> told = new ArrayList<>();
    Simulation.Done done =
        Simulation.of(Premade.experiment(directory), Premade.lab(), clock)
            .run(
                directory.resolve("results"),
                1,
                stop,
                result -> {
                  told.add(result);
                  stop.askNow();
                });
    RunOutcome outcome = done.outcome();
    assertThat(outcome.state()).isEqualTo(RunState.INTERRUPTED);
    assertThat(done.run().results()).isEqualTo(told).hasSize(1);
  }
}
