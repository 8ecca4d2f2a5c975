package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Protects plans of one's own on the lab, from the experiment file to the run that is gone on with:
 * one with data from a file, a transaction controller, assertions, a regular expression, a script
 * and a timer.
 */
@MeasuresInRealTime
@ResourceLock("slicewise.state.allowed-plans")
class OwnPlanOnLabTest {
  private static final String ALLOWED = "slicewise.state.allowed-plans";

  private static final String AS_ROWS =
      "<boolProp name=\"TransactionController.parent\">false</boolProp>";

  private static final String SECRET = "correct-horse-4711";

  @TempDir private Path directory;

  @BeforeEach
  void layOutThePlan() throws IOException {
    System.setProperty(ALLOWED, directory.resolve("allowed").toString());
    Files.write(directory.resolve("customers.csv"), resource("customers.csv"));
    Files.write(directory.resolve("shop.jmx"), resource("shop.jmx"));
  }

  @AfterEach
  void forget() {
    System.clearProperty(ALLOWED);
  }

  @Test
  void requestsAreCountedAndTransactionsAreLabelsWhetherTheyAreRowsOrParents() throws IOException {
    requestsAndTransactions(run(experiment("rows", "")));
    String plan = Files.readString(directory.resolve("shop.jmx"));
    assertThat(plan).contains(AS_ROWS);
    Files.writeString(
        directory.resolve("shop.jmx"), plan.replace(AS_ROWS, AS_ROWS.replace("false", "true")));
    requestsAndTransactions(run(experiment("parents", "")));
  }

  private static void requestsAndTransactions(RunDirectory run) {
    for (TrialResult trial : run.results()) {
      LoadResult load = trial.load().orElseThrow();
      assertThat(load.failed()).isZero();
      assertThat(load.counts()).isEqualTo("requests");
      assertThat(load.labels())
          .extracting(LoadResult::label)
          .containsExactlyInAnyOrder("Sign in", "Read", "basket", "Browse");
      long browsed = label(load, "Browse").samples();
      assertThat(label(load, "Browse").counts()).isEqualTo("transactions");
      assertThat(label(load, "Sign in").samples())
          .isBetween(browsed - users(trial), browsed + users(trial));
      assertThat(load.samples())
          .isEqualTo(
              label(load, "Sign in").samples()
                  + label(load, "Read").samples()
                  + label(load, "basket").samples());
      assertThat(load.turns().orElseThrow().requests()).isEqualTo(load.samples());
      // A third of the requests is the script's, before which a timer waits for 30 ms.
      assertThat(load.turns().orElseThrow().pauseMillis()).isGreaterThan(5);
    }
  }

  @Test
  void transactionsAloneAreCountedWhereTheyAreAskedFor() throws IOException {
    RunDirectory run = run(experiment("sums", "count: transactions"));
    for (TrialResult trial : run.results()) {
      LoadResult load = trial.load().orElseThrow();
      assertThat(load.counts()).isEqualTo("transactions");
      assertThat(load.labels()).extracting(LoadResult::label).containsExactly("Browse");
      assertThat(load.samples()).isPositive().isEqualTo(label(load, "Browse").samples());
      assertThat(load.turns().orElseThrow().requests()).isGreaterThan(load.samples());
    }
    assumeThat(run.results())
        .as("a busy machine's trial has no table")
        .allMatch(TrialResult::valid);
    assertThat(CommandLines.run("report", run.root().toString()).out())
        .contains("transactions /s")
        .contains("Throughput and response time of the transactions Browse");
  }

  @Test
  void chosenLabelsMakeTheTotalAndItsSeries() throws IOException {
    Path key = Files.writeString(directory.resolve("key.txt"), SECRET);
    String more = "labels: [Sign in, Read]\n  properties: {shop-password-file: %s}".formatted(key);
    RunDirectory run = run(experiment("chosen", more));
    isInNoFile(SECRET, run.root());
    for (TrialResult trial : run.results()) {
      LoadResult load = trial.load().orElseThrow();
      long pages = label(load, "Sign in").samples() + label(load, "Read").samples();
      assertThat(load.samples()).isEqualTo(pages);
      assertThat(load.series().stream().mapToLong(second -> second.samples()).sum())
          .isEqualTo(pages);
      assertThat(label(load, "basket").samples()).isPositive();
      assertThat(load.turns().orElseThrow().requests()).isGreaterThan(pages);
    }
    assumeThat(run.results())
        .as("a busy machine's trial has no table")
        .allMatch(TrialResult::valid);
    assertThat(CommandLines.run("report", run.root().toString()).out())
        .contains("requests /s")
        .containsPattern(
            "Throughput and response time of the requests (Sign in, Read|Read, Sign in)");
  }

  private static void isInNoFile(String secret, Path root) throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      assertThat(files.filter(Files::isRegularFile).toList())
          .hasSizeGreaterThan(10)
          .allSatisfy(file -> assertThat(content(file)).as(file.toString()).doesNotContain(secret));
    }
  }

  private static String content(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      InputStream plain = file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
      return new String(plain.readAllBytes(), StandardCharsets.ISO_8859_1);
    }
  }

  /** Runs the experiment; its directory is then reported, asked for its state, and gone on with. */
  private RunDirectory run(Path experiment) throws IOException {
    Path results = directory.resolve("results-" + experiment.getFileName());
    Said ran =
        CommandLines.run(
            "run",
            experiment.toString(),
            "--results",
            results.toString(),
            "--plain",
            "--allow-plan-code");
    // On a busy machine a trial may finish and not be valid; that is not what is tested here.
    assertThat(ran.exit()).as(ran.err()).isIn(CommandLines.measured());
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(run.record().failed()).isEmpty();
    assertThat(run.results()).hasSize(1);
    assertThat(
            Files.readAllLines(
                run.trialDirectory(run.results().get(0).trial().slug()).resolve("jmeter.log")))
        .as("a line for every request would slow the generator down")
        .hasSizeLessThan(10)
        .allMatch(line -> line.contains("HTTP request"));
    for (String command : new String[] {"report", "status", "resume"}) {
      Said said = CommandLines.run(command, run.root().toString());
      assertThat(said.err()).as(command).doesNotContain("unknown key");
      assertThat(said.exit()).as("%s: %s", command, said.err()).isIn(CommandLines.measured());
    }
    return run;
  }

  private Path experiment(String name, String count) throws IOException {
    return Files.writeString(
        directory.resolve(name + ".yaml"),
        """
        name: %s
        lab: {scheduler: credit, demand-factor: 0.3}
        domains: {main: [Apache_Server]}
        profiles: [as-found]
        workload:
          name: plan
          plan: shop.jmx
          %s
        users: [3]
        repetitions: 1
        ramp: 0s
        warm-up: 3s
        measure: 3s
        limits: {generator-cpu: 100%%, other-work: 100%%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%%,
                 littles-law: 100%%, repeat-invalid: 0}
        """
            .formatted(name, count));
  }

  private static LoadResult label(LoadResult load, String name) {
    return load.labels().stream()
        .filter(label -> label.label().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static int users(TrialResult trial) {
    return trial.trial().users();
  }

  private static byte[] resource(String name) throws IOException {
    try (InputStream in = OwnPlanOnLabTest.class.getResourceAsStream("own-plan/" + name)) {
      return in.readAllBytes();
    }
  }
}
