package io.slicewise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slicewise.base.json.Json;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Load;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protects {@code each: query}: the query is an axis of the plan, and alone in its trial. */
class QueryAxisTest {
  private static final String HEAD =
      """
      name: queries
      host: {address: dom0.example}
      domains: {main: [db]}
      profiles: [as-found]
      users: 1
      repetitions: 2
      workload:
        name: tpch
        database: "jdbc:postgresql://db/bench"
        database-user: bench
      """;

  @TempDir private Path directory;

  private Experiment read(String more) throws IOException {
    Path file = directory.resolve("queries.yaml");
    Files.writeString(file, HEAD + more);
    return ExperimentFiles.read(file);
  }

  @Test
  void everyBlockHasATrialOfEveryQuery() throws IOException {
    Experiment experiment = read("  each: query\n  queries: [q06, q01, q14]\n");
    assertThat(experiment.cells()).isEqualTo(3);
    List<Trial> trials = Plan.of(experiment);
    assertThat(trials).hasSize(6);
    assertThat(trials.subList(0, 3))
        .extracting(trial -> trial.load().toString())
        .containsExactlyInAnyOrder("1 with q06", "1 with q01", "1 with q14");
    assertThat(trials.get(0).slug()).matches("0001-as-found-u1-q(06|01|14)-r1");
    assertThat(trials.get(0).load().text()).startsWith("1 user with q");
  }

  @Test
  void allQueriesWithoutAList() throws IOException {
    assertThat(read("  each: query\n").cells()).isEqualTo(22);
  }

  @Test
  void withoutItThePlanAndItsNamesAreAsBefore() throws IOException {
    Experiment experiment = read("  queries: [q06, q01]\n");
    assertThat(experiment.cells()).isEqualTo(1);
    assertThat(Plan.of(experiment).get(0).slug()).isEqualTo("0001-as-found-u1-r1");
    assertThatThrownBy(() -> read("  each: table\n"))
        .isInstanceOf(SlicewiseException.class)
        .hasMessageContaining("query");
  }

  @Test
  void aTrialAsksItsQueryAlone() throws IOException {
    WorkloadSpec spec = read("  each: query\n  queries: [q06, q01]\n").workload();
    Workload whole =
        Workloads.of(spec.name(), spec.plan(), Optional.empty(), Map.of(), spec.options());
    assertThat(whole.properties(1)).containsEntry("queries", "q06 q01");
    assertThat(whole.only("q01").properties(1)).containsEntry("queries", "q01");
  }

  @Test
  void recordsKeepTheQueryAndEarlierOnesHaveNone() throws IOException {
    Trial trial = new Trial(1, 1, "w", Load.of(1).only("q06"), 1);
    String written = Json.mapper().writeValueAsString(trial);
    assertThat(written).contains("\"part\":\"q06\"");
    assertThat(Json.mapper().readValue(written, Trial.class)).isEqualTo(trial);
    String earlier =
        "{\"number\":1,\"block\":1,\"profile\":\"w\",\"users\":1,\"repetition\":1,\"attempt\":1}";
    assertThat(Json.mapper().readValue(earlier, Trial.class).load()).isEqualTo(Load.of(1));
  }
}
