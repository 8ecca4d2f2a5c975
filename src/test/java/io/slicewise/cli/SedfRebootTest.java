package io.slicewise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.result.TrialResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects {@code experiments/sedf-reboot.yaml}: profiles of two schedulers, a reboot between. */
@MeasuresInRealTime
@Tag("nightly")
class SedfRebootTest {
  private static final int LOADS = 2;

  @TempDir private Path directory;

  @Test
  void measuresTheProfilesOfBothSchedulersAndRestoresTheHost() throws IOException {
    Path home = Path.of(System.getProperty("slicewise.home", "."));
    String written = Files.readString(home.resolve("experiments/sedf-reboot.yaml"));
    Path file = directory.resolve("sedf-reboot.yaml");
    Files.writeString(
        file,
        written
            .replace("../scheduler-profiles", home.toAbsolutePath() + "/scheduler-profiles")
            .replace("repetitions: 3", "repetitions: 1")
            .replace("50ms", "5s"));
    Path results = directory.resolve("results");
    CommandLines.Said said =
        CommandLines.run(
            "run", "--anyway", file.toString(), "--results", results.toString(), "--quiet");
    RunDirectory run = RunDirectory.newest(results).orElseThrow();
    assertThat(run.results()).as(said.err()).hasSize(4 * LOADS);
    assertThat(
            run.results().stream()
                .filter(TrialResult::valid)
                .collect(Collectors.groupingBy(one -> one.trial().profile(), Collectors.counting()))
                .keySet())
        .containsExactlyInAnyOrder("credit-256", "credit-4096", "credit-apache-cap", "sedf-280");
    assertThat(
            run.results().stream()
                .map(one -> one.host().applied().values().iterator().next().scheduler())
                .collect(Collectors.toSet()))
        .hasSize(2);
    assertThat(run.record().touched()).isEmpty();
  }
}
