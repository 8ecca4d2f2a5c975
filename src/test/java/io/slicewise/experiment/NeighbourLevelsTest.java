package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Level;
import io.slicewise.experiment.load.Load;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several numbers of neighbours are an axis of the plan; one is a condition of it, as ever. */
class NeighbourLevelsTest {
  private static final String HEAD =
      """
      name: neighbours
      host: {address: dom0.example}
      domains: {main: [db]}
      profiles: [as-found, {name: heavy, scheduler: credit, main: {weight: 512}}]
      users: [1, 4]
      repetitions: 2
      workload:
        name: tpcb
        database: "jdbc:postgresql://db/bench"
        interference: LEVELS
      """;

  @TempDir private Path directory;

  private Experiment read(String levels) throws IOException {
    Path file = directory.resolve("shop.yaml");
    Files.writeString(file, HEAD.replace("LEVELS", levels));
    return ExperimentFiles.read(file);
  }

  @Test
  void everyBlockHoldsEveryProfileAtEveryLoadBesideEveryNumberOfNeighbours() throws IOException {
    Experiment experiment = read("[0, 1, 3]");
    assertThat(experiment.users()).containsExactly(1, 4);
    assertThat(experiment.levels(Axis.NEIGHBOURS))
        .containsExactly(Level.of(0), Level.of(1), Level.of(3));
    assertThat(experiment.cells()).isEqualTo(12);

    List<Trial> first = Plan.of(experiment).subList(0, 12);
    assertThat(first).allMatch(trial -> trial.block() == 1);
    assertThat(
            first.stream()
                .map(trial -> trial.profile() + " " + trial.load())
                .collect(Collectors.toSet()))
        .hasSize(12)
        .contains("as-found 1 + 0", "heavy 4 + 3");
    assertThat(first.get(0).slug()).matches("0001-(as-found|heavy)-u[14]-i[013]-r1");
  }

  @Test
  void oneNumberIsNoAxisSoThatRunsOfItKeepTheirNames() throws IOException {
    for (String level : List.of("3", "[3]")) {
      Experiment experiment = read(level);
      assertThat(experiment.levels(Axis.NEIGHBOURS)).isEmpty();
      assertThat(experiment.loads()).containsExactly(Load.of(1), Load.of(4));
      assertThat(Plan.of(experiment).get(0).slug()).matches("0001-(as-found|heavy)-u[14]-r1");
    }
  }

  @Test
  void isReadBackAsItWasWrittenOut() throws IOException {
    Experiment experiment = read("[2, 0]");
    Path resolved = directory.resolve("resolved.yaml");
    Files.writeString(resolved, ExperimentFiles.toYaml(experiment));
    assertThat(ExperimentFiles.read(resolved)).isEqualTo(experiment);
  }

  @Test
  void fourConditionsWithoutNeighboursVerifyEachBlock() throws IOException {
    Path file = directory.resolve("verified.yaml");
    String text = HEAD.replace("LEVELS", "[0, 3]\n  verify: true").replace("[1, 4]", "8");
    Experiment experiment = ExperimentFiles.read(Files.writeString(file, text));
    assertThat(experiment.loads())
        .containsExactly(
            Load.beside(0, 8),
            Load.beside(3, 8),
            Load.beside(0, 2).only("fewer-clients"),
            Load.beside(0, 8).only("larger-database"),
            Load.beside(0, 32).only("more-clients"),
            Load.beside(0, 8).only("no-change"));
    assertThat(experiment.users()).containsExactly(8);
    Files.writeString(file, ExperimentFiles.toYaml(experiment));
    assertThat(ExperimentFiles.read(file)).isEqualTo(experiment);
    for (String wrong :
        List.of(text.replace("users: 8", "users: [1, 8]"), text.replace("[0, 3]", "[1, 3]"))) {
      Files.writeString(file, wrong);
      assertThatThrownBy(() -> ExperimentFiles.read(file))
          .hasMessageContaining(
              "verify needs several numbers of neighbours, 0 among them, and one number of users");
    }
  }

  @Test
  void tellsFaultyNumbersWithTheirLine() {
    assertThatThrownBy(() -> read("[1, 1, 17]"))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("shop.yaml:10: interference 1 of workload is listed twice")
        .hasMessageContaining("shop.yaml:10: interference 17 of workload is out of range 0..16");
    assertThatThrownBy(() -> read("[]")).hasMessageContaining("must list at least one number");
  }
}
