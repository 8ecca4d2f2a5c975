package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.SweepListener.Step;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.sweep.LocalSweep;
import io.slicewise.sweep.Sweep;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A workload that cannot be is refused in one clear sentence with an exit code of its kind, and
 * leaves nothing behind: no schema, no tables dropped that were not ours.
 */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
class BadWorkloadTest {
  @TempDir private Path directory;

  @Test
  void anApplicationWithoutItsDatabaseSaysWhyAndDoesNotStart(Database database) {
    refuses("jdbc:nosuch://h/d", ExitCode.USAGE, "there is no JDBC driver for jdbc:nosuch://h/d");
    refuses("postgresql://h/d", ExitCode.USAGE, "is not a JDBC address");
    refuses(
        "jdbc:postgresql://h/d?password=hunter2",
        ExitCode.USAGE,
        "the database address contains a");
    refuses("jdbc:postgresql://localhost:1/d", ExitCode.PREFLIGHT, "does not answer");
    refuses(database.url(), ExitCode.PREFLIGHT, "refuses user 'postgres' or the password");
  }

  @Test
  void anotherOnesTableInTheSchemaFailsTheTrialAndIsLeftAlone() throws IOException {
    try (EmbeddedHost host = EmbeddedHost.forExperiment(experiment("lab: {scheduler: credit}"))) {
      Database database = FreshDatabase.of(host.experiment().workload().options());
      Sweep sweep =
          LocalSweep.of(host.experiment())
              .with(
                  LocalSweep.atEachStep(
                      (trial, step) -> {
                        if (trial.number() == 1 && step == Step.TEAR_DOWN) {
                          Rows.execute(
                              database, "CREATE TABLE slicewise_web_app.ledger (id INTEGER)");
                        }
                      }))
              .begin(directory.resolve("results"));
      sweep.execute();
      String why = "contains objects that Slicewise did not create: ledger, so it is not changed";
      assertThat(sweep.run().record().failed().values())
          .extracting(JournalEvent.TrialFailed::reason)
          .satisfiesExactlyInAnyOrder(
              first ->
                  assertThat(first).startsWith("tearing the workload down failed: ").endsWith(why),
              second ->
                  assertThat(second).startsWith("setting the workload up failed: ").endsWith(why));
      assertThat(Rows.count(database, "SELECT count(*) FROM slicewise_web_app.ledger")).isZero();
    }
  }

  @Test
  void aPlanWithErrorsIsToldByDoctorBeforeAnyTrial() throws IOException {
    Path plan = Files.writeString(directory.resolve("broken.jmx"), "<jmeterTestPlan><hashTree>");
    Path file =
        Files.writeString(
            directory.resolve("e.yaml"),
            """
            name: e
            lab: {scheduler: credit}
            domains: {main: [Apache_Server]}
            profiles: [as-found]
            workload: {name: plan, plan: %s}
            users: 1
            """
                .formatted(plan));
    Said said = CommandLines.run("doctor", file.toString());
    assertThat(said.exit()).isEqualTo(ExitCode.PREFLIGHT.code());
    assertThat((said.out() + said.err()).replaceAll("\\s+", " "))
        .contains("broken.jmx cannot be used: it is not the XML expected here");
  }

  private Experiment experiment(String host) throws IOException {
    return ExperimentFiles.read(
        Files.writeString(
            directory.resolve("bad.yaml"),
            """
            name: bad
            %s
            domains: {main: [Apache_Server]}
            profiles: [as-found]
            workload: web-app
            users: 1
            repetitions: 2
            ramp: 0s
            warm-up: 500ms
            measure: 1s
            limits: {repeat-invalid: 0}
            """
                .formatted(host)));
  }

  private void refuses(String url, ExitCode code, String words) {
    for (String application : new String[] {"web-app", "portal"}) {
      Said said = target(application, url);
      assertThat(said.exit()).as(said.err()).isEqualTo(code.code());
      assertThat(said.err()).contains(words).doesNotContain("hunter2", "\tat ");
    }
  }

  private Said target(String application, String url) {
    return CommandLines.run(
        "target",
        application,
        "--db=" + url,
        "--db-user=postgres",
        "--files=" + directory,
        "--sample-files",
        "--port=0");
  }
}
