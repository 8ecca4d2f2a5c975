package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.units.Measure;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.sweep.LocalSweep;
import io.slicewise.sweep.Sweep;
import io.slicewise.sweep.preflight.CheckResult;
import io.slicewise.sweep.preflight.Preflight;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Each workload's plan loads real servers in the lab's guests: what JMeter says it did is what the
 * servers' databases saw, at two loads, and nothing of it is left afterwards.
 */
@MeasuresInRealTime
@Execution(ExecutionMode.CONCURRENT)
class WorkloadsOnLabTest {
  private static final String LOG_ROWS = "SELECT count(*) FROM slicewise_web_app.log";
  private static final String SCHEMAS =
      "SELECT count(*) FROM information_schema.schemata WHERE schema_name LIKE 'slicewise%'";

  /** The health check before each trial asks for the page once. */
  private static final long HEALTH_CHECKS = 1;

  @TempDir private Path directory;

  @Test
  void everyPageOfTheWebApplicationIsARowInItsLog() throws Exception {
    try (EmbeddedHost host = EmbeddedHost.forExperiment(experiment("web-app", "Apache_Server"))) {
      Database database = FreshDatabase.of(host.experiment().workload().options());
      Ran ran = run(host, trial -> List.of(Rows.count(database, LOG_ROWS)));
      for (TrialResult trial : ran.trials) {
        long pages = ran.succeeded(trial, "page");
        assertThat(pages).isPositive();
        assertThat(ran.seen(trial).get(0))
            .isBetween(pages + HEALTH_CHECKS, pages + HEALTH_CHECKS + trial.trial().users());
        assertThat(trial.times().stepSeconds()).containsKeys("set up", "tear down");
      }
      assertThat(Rows.count(database, SCHEMAS)).isZero();
    }
  }

  @Test
  void everyPrivateServerServesItsOwnUsers() throws Exception {
    try (EmbeddedHost host = EmbeddedHost.forExperiment(experiment("vps", "VPS_1, VPS_2, VPS_3"))) {
      List<Map<String, Object>> guests = guests(host.experiment());
      assertThat(Preflight.examine(host.experiment(), directory))
          .filteredOn(finding -> finding.subject().equals("target"))
          .extracting(CheckResult::sentence)
          .containsExactly("the servers of workload vps answer");
      Ran ran =
          run(
              host,
              trial ->
                  guests.stream()
                      .map(guest -> Rows.count(FreshDatabase.of(guest), LOG_ROWS))
                      .toList());
      for (TrialResult trial : ran.trials) {
        for (int guest = 0; guest < guests.size(); guest++) {
          long pages = ran.succeeded(trial, (String) guests.get(guest).get("name"));
          assertThat(pages).isPositive();
          assertThat(ran.seen(trial).get(guest))
              .isBetween(pages + HEALTH_CHECKS, pages + HEALTH_CHECKS + trial.trial().users());
        }
        assertThat(trial.load().orElseThrow().labels())
            .extracting(LoadResult::label)
            .containsExactlyInAnyOrder("VPS_1", "VPS_2", "VPS_3");
        assertThat(trial.measures())
            .singleElement()
            .satisfies(fairness -> assertThat(fairness.name()).isEqualTo("fairness"))
            .extracting(Measure::value)
            .satisfies(jain -> assertThat(jain).isBetween(1.0 / 3, 1.0));
      }
      assertThat(guests).allMatch(guest -> Rows.count(FreshDatabase.of(guest), SCHEMAS) == 0);
    }
  }

  @Test
  void everyDocumentOfThePortalIsInItsDatabase() throws Exception {
    try (EmbeddedHost host = EmbeddedHost.forExperiment(experiment("portal", "MOSS, MSSQL"))) {
      Database database = FreshDatabase.of(host.experiment().workload().options());
      Ran ran =
          run(
              host,
              trial ->
                  List.of(
                      Rows.count(database, "SELECT count(*) FROM slicewise_portal.lists"),
                      Rows.count(
                          database,
                          "SELECT count(*) FROM slicewise_portal.documents"
                              + " WHERE length(content) > 8000"),
                      Rows.count(database, "SELECT count(*) FROM slicewise_portal.documents")));
      for (TrialResult trial : ran.trials) {
        long users = trial.trial().users();
        long stored = ran.succeeded(trial, "store document");
        assertThat(stored).isPositive();
        assertThat(ran.seen(trial).get(0))
            .isBetween(
                ran.succeeded(trial, "create list"), ran.succeeded(trial, "create list") + users);
        assertThat(ran.seen(trial).get(1)).isBetween(stored, stored + users);
        assertThat(ran.seen(trial).get(2)).isEqualTo(ran.seen(trial).get(1));
        assertThat(ran.succeeded(trial, "read document")).isBetween(stored - users, stored);
      }
      assertThat(Rows.count(database, SCHEMAS)).isZero();
    }
  }

  private Experiment experiment(String workload, String domains) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve(workload + ".yaml"),
            """
            name: %s
            lab: {scheduler: credit, demand-factor: 0.3}
            domains: {main: [%s]}
            profiles: [as-found]
            workload: %s
            users: [1, 3]
            repetitions: 1
            ramp: 0s
            warm-up: 500ms
            measure: 3s
            limits: {generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, littles-law: 100%%, repeat-invalid: 0}
            """
                .formatted(workload, domains, workload)));
  }

  /** Runs both trials; what is seen is asked just before each is torn down. */
  private Ran run(EmbeddedHost host, Function<Trial, List<Long>> seen) {
    List<List<Long>> byTrial = new ArrayList<>();
    Sweep sweep =
        LocalSweep.of(host.experiment())
            .with(
                LocalSweep.atEachStep(
                    (trial, step) -> {
                      if (step == Step.TEAR_DOWN) {
                        byTrial.add(seen.apply(trial));
                      }
                    }))
            .begin(directory.resolve("results"));
    sweep.execute();
    // On a busy machine a trial may finish and not be valid; that is not what is tested here.
    assertThat(sweep.run().record().failed()).isEmpty();
    Ran ran = new Ran(sweep, sweep.run().results(), byTrial);
    assertThat(ran.trials)
        .extracting(trial -> trial.trial().users())
        .containsExactlyInAnyOrder(1, 3);
    assertThat(ran.trials)
        .allSatisfy(trial -> assertThat(trial.load().orElseThrow().failed()).isZero());
    return ran;
  }

  private record Ran(Sweep sweep, List<TrialResult> trials, List<List<Long>> byTrial) {
    List<Long> seen(TrialResult trial) {
      return byTrial.get(trial.trial().number() - 1);
    }

    /** Successful samples of a label in the trial's file, from the first user to the last. */
    long succeeded(TrialResult trial, String label) throws IOException {
      Path samples = sweep.run().trialDirectory(trial.trial().slug()).resolve("samples.jtl.gz");
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(Files.newInputStream(samples)), StandardCharsets.UTF_8))) {
        return lines
            .lines()
            .map(line -> line.split(",", -1))
            .filter(columns -> columns[2].equals(label) && columns[7].equals("true"))
            .count();
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> guests(Experiment experiment) {
    return (List<Map<String, Object>>) experiment.workload().options().get("guests");
  }
}
