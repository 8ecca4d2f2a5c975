package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.experiment.file.ExperimentFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Protects the orders that are not random: as the 2010 study describes it, and as its scripts ran.
 */
class PlanOrderTest {
  private static final String SWEEP =
      """
      name: night
      host: {address: dom0.example, user: root}
      domains: {main: [web]}
      workload: {name: web-app, target: "http://web.example/"}
      users: [25, 50]
      repetitions: 2
      profiles:
        - {name: w256, scheduler: credit, main: {weight: 256}}
        - {name: w512, scheduler: credit, main: {weight: 512}}
      """;

  @TempDir Path directory;

  private String first(Order order) throws IOException {
    Path file = Files.writeString(directory.resolve("sweep.yaml"), SWEEP + "order: " + order);
    return Plan.of(ExperimentFiles.read(file)).stream()
        .limit(6)
        .map(trial -> trial.profile() + " " + trial.users() + " " + trial.repetition())
        .reduce((one, two) -> one + "; " + two)
        .orElseThrow();
  }

  @Test
  void profilesBeforeLoadsOrLoadsBeforeProfiles() throws IOException {
    assertThat(first(Order.AS_WRITTEN))
        .isEqualTo("w256 25 1; w256 25 2; w256 50 1; w256 50 2; w512 25 1; w512 25 2");
    assertThat(first(Order.LOADS_AS_WRITTEN))
        .isEqualTo("w256 25 1; w256 25 2; w512 25 1; w512 25 2; w256 50 1; w256 50 2");
  }
}
