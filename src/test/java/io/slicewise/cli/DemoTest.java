package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.base.json.Json;
import io.slicewise.cli.CommandLines.Said;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects the first minute of a newcomer: a look at the lab, a setting tried, its answer. */
@KeepsTheMachineBusy
@MeasuresInRealTime
class DemoTest {
  @TempDir private Path directory;

  @Test
  void looksAtTheLabAndTriesWhatTheLookProposes() {
    Said said = CommandLines.run("demo", "--anyway", "--plain", "--results", directory.toString());
    assertThat(said.exit()).as(said.err()).isIn(CommandLines.measured());
    assertThat(said.out())
        .containsSubsequence("LOOK", "Next    slicewise try --lab 'web: weight 1024'")
        .containsSubsequence("TRY     web on the embedded lab", "ANSWER", "Page", "File")
        .containsPattern("(\\d+) of \\1 settings restored and verified");
  }

  @Test
  void printsOneDocumentAsJson() throws IOException {
    Said said =
        CommandLines.run(
            "demo", "--anyway", "--format", "json", "-q", "--results", directory.toString());
    assertThat(said.exit()).as(said.err()).isIn(CommandLines.measured());
    JsonNode answer = Json.mapper().readTree(said.out());
    assertThat(answer.isObject()).isTrue();
  }
}
