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

  private static final String LIMITS =
      "limits: {generator-lateness: 60s, lab-lateness: 60s, generator-cpu: 100%,"
          + " generator-gc: 100%, littles-law: 100%}";

  @TempDir private Path directory;

  @Test
  void guestAndGuestShowNoDifference() throws IOException {
    Path written =
        Path.of(System.getProperty("slicewise.home", "."), "experiments/overhead-guest.yaml");
    assertNoVerdict(Files.readString(written).replaceFirst("limits: .*", LIMITS));
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
    Path file = Files.writeString(directory.resolve("experiment.yaml"), experiment);
    for (int boot = 1; boot <= BOOTS; boot++) {
      Said said =
          CommandLines.run("run", file.toString(), "--results", results.toString(), "--quiet");
      assertThat(said.exit()).as(said.err()).isZero();
    }
    List<String> words = new ArrayList<>(List.of("study", "overhead", "--same-system"));
    try (Stream<Path> runs = Files.list(results)) {
      runs.filter(Files::isDirectory).map(Path::toString).sorted().forEach(words::add);
    }
    assertThat(CommandLines.run(words.toArray(String[]::new)).out())
        .contains("A/A, boots of one system: false alarms ");
    words.addAll(List.of("--format", "json"));
    JsonNode study = Json.mapper().readTree(CommandLines.run(words.toArray(String[]::new)).out());
    assertThat(study.at("/slowdowns/0/blocks").asInt()).isEqualTo(BOOTS / 2);
    List<String> verdicts = new ArrayList<>();
    study.at("/slowdowns/0/cases").forEach(row -> verdicts.add(row.at("/verdict").asText()));
    return verdicts;
  }
}
