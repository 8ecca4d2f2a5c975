package io.slicewise.cli.commands;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the numbers of a run on disk: {@code recorded-run} was recorded on the lab and reported
 * then; its report is still the same.
 */
class RecordedRunTest {
  private static final Path RECORDED = Path.of("src/test/resources/recorded-run");

  @TempDir private Path directory;
  private Path run;

  @BeforeEach
  void copy() throws IOException {
    run = directory.resolve("run");
    FileUtils.copyDirectory(RECORDED.toFile(), run.toFile());
    Files.delete(run.resolve("summary.json"));
    FileUtils.deleteDirectory(run.resolve("tables").toFile());
  }

  @Test
  void reportsTheSameSummaryAndTables() throws IOException {
    assertThat(CommandLines.run("report", run.toString()).exit()).isZero();

    ObjectNode now = summary(run);
    ObjectNode then = summary(RECORDED);
    assertThat(now.get("cells")).hasSize(2);
    // Notes and the answer are sentences, whose words may change.
    for (String sentences : List.of("notes", "answer")) {
      assertThat(now.remove(sentences).size()).isEqualTo(then.remove(sentences).size());
    }
    assertThat((JsonNode) now).isEqualTo(then);
    for (String table : List.of("load.csv", "shares.csv")) {
      assertThat(run.resolve("tables").resolve(table))
          .hasSameTextualContentAs(RECORDED.resolve("tables").resolve(table));
    }
  }

  private static ObjectNode summary(Path root) throws IOException {
    return (ObjectNode) Json.mapper().readTree(root.resolve("summary.json").toFile());
  }

  @Test
  void everyTrialIsSoundAndHasItsObservations() {
    assertThat(RunDirectory.open(run).load().damages()).isEmpty();
    assertThat(RunDirectory.open(run).results())
        .hasSize(4)
        .allMatch(TrialResult::valid)
        .allSatisfy(
            trial -> {
              assertThat(trial.observed(HypervisorShares.TOPIC).orElseThrow().sightings())
                  .hasSize(4);
              assertThat(trial.observed(HypervisorShares.TOPIC).orElseThrow().series())
                  .isNotEmpty();
              assertThat(trial.loaded().generators()).hasSize(1);
              assertThat(trial.host().surroundings()).isPresent();
            });
  }
}
