package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The interference study from the experiment to the verdict, over real SSH and SQL: neighbours on
 * the same disk slow the guest, all layers agree on the bytes, and the neighbours are named.
 */
@Tag("nightly")
@KeepsTheMachineBusy
class InterferenceOnLabTest {
  @TempDir private Path directory;

  /** The experiment of the documentation, shorter, and valid on a machine with other work. */
  private Path experiment() throws IOException {
    String text =
        Files.readString(
                Path.of(System.getProperty("slicewise.home", "."), "experiments/interference.yaml"))
            .replace("measure: 4s", "measure: 5s")
            .replace("warm-up: 2s", "warm-up: 8s")
            .replaceFirst("repetitions: 3.*", "repetitions: 2")
            .replaceFirst(
                "limits: .*",
                "limits: {generator-lateness: 2s, lab-lateness: 2s, generator-cpu: 100%,"
                    + " littles-law: 100%}");
    return Files.writeString(directory.resolve("interference.yaml"), text);
  }

  @Test
  void neighboursOnTheSameDiskAreNamed() throws IOException {
    Path results = directory.resolve("results");
    Said run = CommandLines.run("run", experiment().toString(), "--results", results.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    Path made;
    try (Stream<Path> runs = Files.list(results)) {
      made = runs.filter(Files::isDirectory).findFirst().orElseThrow();
    }
    Said said = CommandLines.run("study", "interference", made.toString(), "--format", "json");
    assertThat(said.exit()).as(said.err()).isZero();
    JsonNode study = Json.mapper().readTree(said.out());
    JsonNode beside = study.at("/rows/1/measures");
    assertThat(beside.at("/loss/mean").asDouble()).isGreaterThan(10);
    assertThat(beside.at("/others/mean").asDouble()).isBetween(20.0, 95.0);
    assertThat(beside.at("/own/mean").asDouble()).as("dom0 reads nothing").isBetween(-5.0, 5.0);
    assertThat(study.at("/traffic").findValuesAsText("domain"))
        .contains("Database", "Other_1", "Other_2");
    assertThat(Files.readString(made.resolve("report.html"))).contains("id=\"study-drop\"");
  }
}
