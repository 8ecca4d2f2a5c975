package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.cli.CommandLines.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Holds simulation to measurement: calibrated from a sweep of real requests on the lab, it gives
 * the sweep's own rates and times within 15 %, with a cap and without. (The window of one trial on
 * the lab is short, and its machine may be busy with other tests; docs/lab.md has a closer look.)
 */
@MeasuresInRealTime
class LabAgreementTest {
  private static final Percentage TOLERANCE = Percentage.withPercentage(15);
  private static final String EXPERIMENT =
      """
      name: agree
      lab: {version: xl-4.17, scheduler: credit}
      domains: {main: [Apache_Server, NFS_Server, MySQL_Server]}
      profiles:
        - {name: even, scheduler: credit, main: {weight: 256}}
        - {name: capped, scheduler: credit, domains: {Apache_Server: {weight: 256, cap: 40}}}
      workload: web-app
      users: [10]
      repetitions: 1
      ramp: 0s
      warm-up: 1s
      measure: %s
      limits: {generator-cpu: 100%%, generator-lateness: 9s, lab-lateness: 9s, generator-gc: 100%%, littles-law: 20%%}
      """;

  @TempDir private Path directory;

  @Test
  @Tag("nightly")
  void whatIsCalibratedFromTheLabGivesWhatTheLabGave() throws IOException {
    JsonNode measured = end("run", "5s");
    JsonNode simulated = end("simulate", "60s", "--calibrate", measured.at("/run").asText());
    assertThat(simulated.at("/summary/origin/sentence").asText())
        .contains("from 2 trials of agree");
    for (int cell = 0; cell < 2; cell++) {
      for (String metric : new String[] {"throughput", "mean"}) {
        String mean = "/summary/cells/" + cell + "/metrics/" + metric + "/mean";
        assertThat(simulated.at(mean).asDouble())
            .as(cell + " " + metric)
            .isCloseTo(measured.at(mean).asDouble(), TOLERANCE);
      }
    }
  }

  private JsonNode end(String command, String measure, String... options) throws IOException {
    Path file = directory.resolve(command + ".yaml");
    Files.writeString(file, EXPERIMENT.formatted(measure));
    String[] words = new String[options.length + 7];
    String results = directory.resolve(command).toString();
    System.arraycopy(
        new String[] {command, file.toString(), "--results", results, "-q", "--format", "json"},
        0,
        words,
        0,
        7);
    System.arraycopy(options, 0, words, 7, options.length);
    Said said = CommandLines.run(words);
    assertThat(said.exit()).as(said.err() + said.out()).isZero();
    return Json.mapper().readTree(said.out());
  }
}
