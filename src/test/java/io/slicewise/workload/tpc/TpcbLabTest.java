package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.lab.Lab;
import io.slicewise.run.result.TrialResult;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The plan's transactions reach the server whole: what JMeter counted stands in the history. On the
 * neighbours that a trial has money moves meanwhile, and on no other.
 */
@MeasuresInRealTime
class TpcbLabTest {
  private static final String HISTORY = "SELECT count(*) FROM slicewise_tpcb.history";
  private static final String SCHEMAS =
      "SELECT count(*) FROM pg_namespace WHERE nspname = 'slicewise_tpcb'";

  @TempDir private Path directory;

  @Test
  void movesMoneyOnTheDatabaseAndOnTheNeighboursOfTheTrial() throws Exception {
    Map<Load, Long> moved = new LinkedHashMap<>();
    try (Lab lab = LabRun.lab("tpcb")) {
      Map<String, Object> options = lab.workloadOptions();
      Database database = FreshDatabase.of(options);
      List<Map<String, Object>> others = others(options);
      Database neighbour = FreshDatabase.of(others.get(0));

      List<TrialResult> results =
          LabRun.run(
              lab,
              "tpcb",
              """
              %s
              scale: 1
              interference: [0, 1]
              interference-clients: 1
              others: [{name: Other_1, %s}]
              """
                  .formatted(
                      LabRun.signIn(options).replace(", ", "\n"), LabRun.signIn(others.get(0))),
              "2s",
              directory,
              (trial, failures) -> look(trial, database, neighbour, moved, failures));

      assertThat(results).hasSize(4).allSatisfy(result -> expectAllOf(result, moved));
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
      Map<Load, Long> moved,
      List<String> failures) {
    moved.put(trial.load(), Rows.count(database, HISTORY));
    if (trial.load().count(Axis.NEIGHBOURS).equals(OptionalInt.of(0))) {
      if (Rows.count(neighbour, SCHEMAS) > 0) {
        failures.add("a neighbour was made ready that should be idle");
      }
    } else if (Rows.count(neighbour, HISTORY) == 0) {
      failures.add("nothing moved on the neighbour");
    }
  }

  private static void expectAllOf(TrialResult result, Map<Load, Long> moved) {
    long counted = result.load().orElseThrow().samples();
    assertThat(result.load().orElseThrow().failed()).isZero();
    assertThat(counted).isPositive().isLessThanOrEqualTo(moved.get(result.trial().load()));
    assertThat(result.measures())
        .hasSize(result.trial().load().count(Axis.NEIGHBOURS).orElseThrow())
        .allSatisfy(
            measure -> {
              assertThat(measure.name()).isEqualTo("interference");
              assertThat(measure.value()).isPositive();
            });
  }
}
