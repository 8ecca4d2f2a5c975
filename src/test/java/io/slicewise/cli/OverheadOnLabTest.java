package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.lab.guest.LabDatabase;
import io.slicewise.workload.target.FreshDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * Two boots of one system in the place of base and guest, from the command line: the overhead study
 * shows no difference between a guest of the lab and itself, or this machine and itself.
 */
@Tag("nightly")
@KeepsTheMachineBusy
class OverheadOnLabTest {
  private static final int BOOTS = 4;

  /** A study of one system shows a difference in up to one of twenty. */
  private static final int STUDIES = 2;

  private static final double BARE_FAULT = 2e-6;

  /** CPU time of Domain-0 for an execution, in seconds. */
  private static final double CARRIED = 0.0002;

  private static final String LIMITS =
      "limits: {generator-lateness: 60s, lab-lateness: 60s, generator-cpu: 100%, other-work: 100%,"
          + " generator-gc: 100%, littles-law: 100%}";

  @TempDir private Path directory;

  @Test
  void guestAndGuestShowNoDifference() throws IOException {
    assertNoVerdict(written("overhead-guest"));
  }

  /** Returns an experiment of the documentation for a machine with other work. */
  private static String written(String name) throws IOException {
    Path home = Path.of(System.getProperty("slicewise.home", "."));
    return Files.readString(home.resolve("experiments").resolve(name + ".yaml"))
        .replaceFirst("limits: .*", LIMITS);
  }

  /**
   * A guest with a planted cost against the bare machine, with a connection for each query. The
   * real server takes a half of each execution, and only the other half is the lab's.
   */
  @Test
  void theIntervalHoldsWhatWasPlanted() throws IOException {
    String base =
        written("overhead-base").replace("each: query", "each: query\n  connection: query");
    String guest =
        written("overhead-guest")
            .replaceFirst("each: query.*", "each: query\n  connection: query")
            .replaceFirst("overhead: .*", "overhead: {cpu: 100, fault: 20us}");
    JsonNode study = Json.mapper().nullNode();
    double planted = Double.NaN;
    for (int number = 1; number <= STUDIES; number++) {
      Path results = directory.resolve("planted-" + number);
      for (int boot = 1; boot <= BOOTS; boot++) {
        boot(base, results);
        boot(guest, results);
      }
      study = study(results, "--format", "json");
      planted = planted(study, 2, 20e-6);
      if (within(study.at("/slowdowns/0"), planted)) {
        break;
      }
    }
    JsonNode found = study.at("/slowdowns/0");
    assertThat(found.at("/low").asDouble()).as("%s", found).isPositive();
    assertThat(within(found, planted)).as("%.1f in %s", planted, found).isTrue();
    assertThat(study.at("/disks")).as("all is in memory").isEmpty();
  }

  /**
   * Cold, the server is really stopped and started, and both systems read from their disk what it
   * needs; of the guest's disk, Domain-0 reads twice as much.
   */
  @Test
  void coldQueriesReadAndDomain0ReadsAhead() throws IOException {
    String cold =
        """
        each: query
          measure: work
          passes: 1
          state: cold
          cold: [{on: base, command: [systemctl, restart, postgresql]}]\
        """;
    String disk = "lab:\n  disk: {seek: 1ms, rate: 200, read-ahead: 2}\n";
    Path results = directory.resolve("cold");
    for (String system : List.of("overhead-base", "overhead-guest")) {
      boot(
          written(system)
              .replaceAll("(warm-up|measure|ramp): .*\n", "")
              .replaceFirst("each: query.*", cold)
              .replaceFirst("lab:\n", disk),
          results);
    }
    JsonNode layers = study(results, "--format", "json").at("/disks/0/cases");
    assertThat(layers).hasSize(3);
    for (JsonNode row : layers) {
      double needed = row.at("/needed").asDouble();
      assertThat(row.at("/base").asDouble()).as("%s", row).isGreaterThan(0.95 * needed);
      assertThat(row.at("/guest").asDouble()).as("%s", row).isGreaterThan(0.95 * needed);
      assertThat(row.at("/backend").asDouble()).isEqualTo(row.at("/guest").asDouble());
      assertThat(row.at("/magnification").asDouble()).as("%s", row).isBetween(1.95, 2.05);
    }
  }

  private static boolean within(JsonNode found, double planted) {
    return planted > found.at("/low").asDouble() && planted < found.at("/high").asDouble();
  }

  /** Returns the geometric mean of the slowdowns that the lab's costs make of the base's times. */
  private static double planted(JsonNode study, double cpu, double fault) {
    double sum = 0;
    for (JsonNode row : study.at("/faults/0/cases")) {
      double time = time(study, row.at("/name").asText());
      double faults = row.at("/base").asDouble() * BARE_FAULT;
      double more =
          (cpu - 1) * (time - faults) / 2 + row.at("/xen").asDouble() * fault - faults + CARRIED;
      sum += Math.log1p(more / time);
    }
    return 100 * Math.expm1(sum / study.at("/faults/0/cases").size());
  }

  private static double time(JsonNode study, String query) {
    for (JsonNode row : study.at("/slowdowns/0/cases")) {
      if (row.at("/name").asText().equals(query)) {
        return row.at("/base").asDouble();
      }
    }
    throw new AssertionError("no time of " + query);
  }

  @Test
  @ResourceLock("/var/run/slicewise.lock")
  void bareMachineAndBareMachineShowNoDifference() throws IOException {
    assumeThat(Path.of("/sys/hypervisor/type")).doesNotExist();
    try (LabDatabase server =
        LabDatabase.start(directory.resolve("data"), new LabDatabase.Size(20, "128MB"))) {
      Map<String, Object> options = FreshDatabase.options(server.create("tpch"));
      assertNoVerdict(
          """
          name: bare
          host: {local: true, hypervisor: none}
          domains: {main: [base]}
          profiles: [as-found]
          workload:
            name: tpch
            scale: 0.01
            keep-data: true
            each: query
            queries: [q01, q06, q14]
            database: '%s'
            database-user: '%s'
            database-password-file: '%s'
          users: 1
          repetitions: 2
          ramp: 0s
          warm-up: 1s
          measure: 2s
          %s
          """
              .formatted(
                  options.get("database"),
                  options.get("database-user"),
                  options.get("database-password-file"),
                  LIMITS));
    }
  }

  private void assertNoVerdict(String experiment) throws IOException {
    List<String> verdicts = List.of();
    for (int study = 1; study <= STUDIES; study++) {
      verdicts = verdicts(experiment, directory.resolve("results-" + study));
      if (verdicts.stream().noneMatch(List.of("better", "worse")::contains)) {
        break;
      }
    }
    assertThat(verdicts).hasSize(3).doesNotContain("better", "worse");
  }

  private List<String> verdicts(String experiment, Path results) throws IOException {
    for (int boot = 1; boot <= BOOTS; boot++) {
      boot(experiment, results);
    }
    assertThat(said(results, "--same-system").out())
        .contains("A/A, boots of one system: false alarms ");
    JsonNode study = study(results, "--same-system", "--format", "json");
    assertThat(study.at("/slowdowns/0/blocks").asInt()).isEqualTo(BOOTS / 2);
    List<String> verdicts = new ArrayList<>();
    study.at("/slowdowns/0/cases").forEach(row -> verdicts.add(row.at("/verdict").asText()));
    return verdicts;
  }

  private void boot(String experiment, Path results) throws IOException {
    Path file = Files.writeString(directory.resolve("experiment.yaml"), experiment);
    Said said =
        CommandLines.run(
            "run", "--anyway", file.toString(), "--results", results.toString(), "--quiet");
    assertThat(said.exit()).as(said.err()).isIn(CommandLines.measured());
  }

  private static JsonNode study(Path results, String... options) throws IOException {
    return Json.mapper().readTree(said(results, options).out());
  }

  private static Said said(Path results, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("study", "overhead"));
    words.addAll(List.of(options));
    try (Stream<Path> runs = Files.list(results)) {
      runs.filter(Files::isDirectory).map(Path::toString).sorted().forEach(words::add);
    }
    Said said = CommandLines.run(words.toArray(String[]::new));
    assertThat(said.exit()).as(said.err()).isZero();
    return said;
  }
}
