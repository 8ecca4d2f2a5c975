package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.sweep.TrialResult;
import io.slicewise.target.Database;
import io.slicewise.target.Rows;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plan's transactions reach the server whole: what JMeter counted stands in the history, and on
 * the neighbours money moves meanwhile.
 */
@MeasuresInRealTime
class TpcbLabTest {
  private static final String HISTORY = "SELECT count(*) FROM slicewise_tpcb.history";

  @TempDir private Path directory;

  @Test
  void movesMoneyOnTheDatabaseAndOnItsNeighbours() throws Exception {
    Map<Integer, Long> moved = new LinkedHashMap<>();
    try (Lab lab = LabRun.lab("tpcb")) {
      Map<String, Object> options = lab.workloadOptions();
      Database database = LabRun.database(options);
      List<Map<String, Object>> others = others(options);
      Database neighbour = LabRun.database(others.get(0));

      List<TrialResult> results =
          LabRun.run(
              lab,
              "tpcb",
              """
              database: %s
              database-user: %s
              scale: 1
              interference: 1
              interference-clients: 1
              others: [{name: Other_1, database: %s, database-user: %s}]
              """
                  .formatted(database.url(), database.user(), neighbour.url(), neighbour.user()),
              "2s",
              directory,
              (trial, failures) -> look(trial, database, neighbour, moved, failures));

      assertThat(results).hasSize(2).allSatisfy(result -> expectAllOf(result, moved));
    }
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> others(Map<String, Object> options) {
    return (List<Map<String, Object>>) options.get("others");
  }

  private static void look(
      Trial trial,
      Database database,
      Database neighbour,
      Map<Integer, Long> moved,
      List<String> failures) {
    moved.put(trial.users(), Rows.count(database, HISTORY));
    if (Rows.count(neighbour, HISTORY) == 0) {
      failures.add("nothing moved on the neighbour");
    }
  }

  private static void expectAllOf(TrialResult result, Map<Integer, Long> moved) {
    long counted = result.load().orElseThrow().samples();
    assertThat(result.load().orElseThrow().failed()).isZero();
    assertThat(counted).isPositive().isLessThanOrEqualTo(moved.get(result.trial().users()));
    assertThat(result.measures())
        .singleElement()
        .satisfies(
            measure -> {
              assertThat(measure.name()).isEqualTo("interference");
              assertThat(measure.value()).isPositive();
            });
  }
}
