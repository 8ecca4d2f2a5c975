package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.cli.CommandLines.Said;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects {@code demo --traffic}: a live study of visitors that nobody but their log knows of. */
@KeepsTheMachineBusy
@MeasuresInRealTime
@Tag("nightly")
class TrafficDemoTest {
  @TempDir private Path directory;

  @Test
  void endsWithAnAnswerAboutTheVisitorsOfTheSite() {
    Said said =
        CommandLines.run(
            "demo", "--traffic", "--anyway", "--plain", "--results", directory.toString());
    assertThat(said.exit()).as(said.err()).isIn(CommandLines.measured());
    assertThat(said.out())
        .contains("ANSWER", "web-first", "geometric-mean")
        .containsPattern("(\\d+) of \\1 settings restored and verified");
    List<TrialResult> results = RunDirectory.newest(directory).orElseThrow().results();
    assertThat(results).hasSizeGreaterThanOrEqualTo(16);
    assertThat(results)
        .filteredOn(TrialResult::valid)
        .hasSizeGreaterThan(results.size() / 2)
        .allMatch(result -> result.load().orElseThrow().samples() >= 20);
    assertThat(results).noneMatch(result -> result.load().orElseThrow().failed() > 0);
  }
}
