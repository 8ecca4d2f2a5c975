package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.MeasuresInRealTime;
import io.slicewise.experiment.Trial;
import io.slicewise.lab.Lab;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * The plan asks the server every query, and gets the rows that it should: a table that somebody
 * emptied is noticed by the queries that read it, and by no other.
 */
@MeasuresInRealTime
@ResourceLock(TpchAnswersTest.MEMORY)
class TpchLabTest {
  private static final String SCANS =
      "SELECT coalesce(sum(seq_scan + idx_scan), 0) FROM pg_stat_user_tables"
          + " WHERE schemaname = 'slicewise_tpch' AND relname = 'lineitem'";
  private static final String CONNECTIONS =
      "SELECT sessions FROM pg_stat_database WHERE datname = current_database()";

  private static final String ASKED =
      "SELECT query FROM pg_stat_activity WHERE application_name = 'slicewise-tpch'"
          + " AND query LIKE '%lineitem%'";

  @TempDir private Path directory;

  @Test
  void asksEveryQueryAndKnowsItsAnswer() throws Exception {
    try (Lab lab = LabRun.lab("tpch")) {
      Database database = FreshDatabase.of(lab.workloadOptions());
      Map<Integer, Long> scans = new HashMap<>();

      List<TrialResult> results =
          LabRun.run(
              lab,
              "tpch",
              options(lab, ""),
              "4s",
              directory,
              (trial, failures) -> scans.put(trial.users(), Rows.count(database, SCANS)));

      assertThat(results).hasSize(2);
      assertThat(results).flatExtracting(TpchLabTest::asked).containsAll(TpchQueries.NAMES);
      assertThat(scans.values()).allMatch(count -> count > TpchQueries.NAMES.size());
      streamsAskWithParametersOfTheirOwn(lab, database);
      noticeWrongAnswers(lab, database);
    }
  }

  /** As the server saw it: what each stream's connection asked, or asks. */
  private void streamsAskWithParametersOfTheirOwn(Lab lab, Database database) throws Exception {
    Map<Integer, Set<String>> seen = new HashMap<>();
    LabRun.run(
        lab,
        "tpch",
        options(lab, "queries: [q06]\nparameters: random\nparameter-seed: 5"),
        "3s",
        Files.createDirectory(directory.resolve("streams")),
        (trial, failures) -> {},
        trial ->
            look(database, seen.computeIfAbsent(trial.users(), any -> new TreeSet<>()), trial));

    String first = revenue(5);
    String second = revenue(6);
    assertThat(first).isNotEqualTo(second);
    assertThat(seen.get(1)).containsExactly(first);
    assertThat(seen.get(2)).containsExactlyInAnyOrder(first, second);
  }

  /** Looks at what is asked until every stream has been seen, or for most of a second. */
  private static void look(Database database, Set<String> seen, Trial trial) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(900);
    do {
      seen.addAll(Rows.texts(database, ASKED));
    } while (seen.size() < trial.users() && System.nanoTime() < end);
  }

  /** Query 6 as a draw from that seed makes it. */
  private static String revenue(long seed) {
    return TpchQueries.read(TpchAnswersTest.PLAN, TpchParameters.random(seed, 0.01)).get("q06");
  }

  /** What was asked in the window, all of it answered; on a slow machine that is not everything. */
  private static List<String> asked(TrialResult result) {
    LoadResult load = result.load().orElseThrow();
    assertThat(load.failed()).as(load.errors().toString()).isZero();
    List<String> asked = load.labels().stream().map(LoadResult::label).toList();
    assertThat(result.measures())
        .singleElement()
        .satisfies(
            measure -> {
              assertThat(measure.name()).isEqualTo("query-time");
              assertThat(measure.value() > 0).isEqualTo(asked.containsAll(TpchQueries.NAMES));
            });
    return asked;
  }

  /** The tables were kept, and nobody is asked whether they are still what they were. */
  private void noticeWrongAnswers(Lab lab, Database database) throws Exception {
    Rows.execute(database, "DELETE FROM slicewise_tpch.region");
    Path again = Files.createDirectory(directory.resolve("again"));
    Map<Integer, Long> before = new HashMap<>();
    long connections = Rows.count(database, CONNECTIONS);

    List<TrialResult> results =
        LabRun.run(
            lab,
            "tpch",
            options(lab, "queries: [q02, q06]\nconnection: query"),
            "2s",
            again,
            (trial, failures) -> before.put(trial.users(), Rows.count(database, CONNECTIONS)));

    for (TrialResult result : results) {
      for (LoadResult query : result.load().orElseThrow().labels()) {
        assertThat(query.failed()).isEqualTo(query.label().equals("q02") ? query.samples() : 0);
      }
    }
    long asked = results.stream().mapToLong(result -> result.load().orElseThrow().samples()).sum();
    assertThat(before.values().stream().mapToLong(Long::longValue).max().orElseThrow())
        .isGreaterThanOrEqualTo(connections + asked);
  }

  private static String options(Lab lab, String more) {
    return """
    %s
    scale: 0.01
    keep-data: true
    %s
    """
        .formatted(LabRun.signIn(lab.workloadOptions()).replace(", ", "\n"), more);
  }
}
