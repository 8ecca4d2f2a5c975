package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.base.yaml.Option;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.experiment.load.Axis;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement.Finding;
import io.slicewise.run.validity.Rule;
import io.slicewise.sweep.LocalSweep;
import io.slicewise.sweep.Sweep;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/**
 * TPC-H on a real PostgreSQL as a fixed amount of work: a trial ends with its last answer, and what
 * the kernel and the server counted belongs to it alone.
 */
@KeepsTheMachineBusy
@ExtendWith(FreshDatabase.class)
@ResourceLock(TpchAnswersTest.MEMORY)
@Tag("thorough")
class TpchWorkTest {
  private static final String EXPERIMENT =
      """
      name: work
      host: {local: true, hypervisor: none}
      domains: {main: [base]}
      profiles: [as-found]
      workload:
        name: tpch
        scale: 0.01
        keep-data: true
        each: query
        queries: [q06, q14]
        measure: work
        within: 60s
        passes: 4
        state: warm
        connection: %s
        database: '%s'
        database-user: '%s'
        database-password-file: '%s'
      users: 1
      repetitions: 1
      cool-down: 0s
      limits:
        {generator-cpu: 100%%, other-work: 100%%, generator-lateness: 60s, repeat-invalid: 0}
      """;

  /** A new connection also looks at the ends of indexes to plan. */
  private static final double PLANNING = 100;

  @TempDir private Path directory;

  private List<TrialResult> run(Database database, String connection) throws IOException {
    assumeThat(Path.of("/sys/hypervisor/type")).doesNotExist();
    assumeThat(Files.isWritable(Path.of("/var/run"))).isTrue();
    Map<String, Object> options = FreshDatabase.options(database);
    Path file = directory.resolve(connection + ".yaml");
    Files.writeString(
        file,
        EXPERIMENT.formatted(
            connection,
            options.get("database"),
            options.get("database-user"),
            options.get("database-password-file")));
    Sweep sweep =
        LocalSweep.of(ExperimentFiles.read(file))
            .with(new SweepOptions(true, Duration.ofSeconds(10)))
            .begin(directory.resolve("results"));
    sweep.execute();
    return sweep.run().results();
  }

  /** The blocks of one execution, as the executor itself shows them. */
  private static double blocksOf(Database database, String query) {
    Rows.execute(database, "ALTER ROLE CURRENT_USER SET search_path = slicewise_tpch");
    String sql = TpchQueries.read(TpchAnswersTest.PLAN, Map.of()).get(query);
    return Rows.texts(database, "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) " + sql).stream()
        .map(Pattern.compile("shared hit=([0-9]+)")::matcher)
        .filter(Matcher::find)
        .mapToDouble(found -> Double.parseDouble(found.group(1)))
        .findFirst()
        .orElseThrow();
  }

  @Test
  @ResourceLock("/var/run/slicewise.lock")
  void aTrialIsItsPassesAndNothingElse(Database database) throws IOException {
    List<TrialResult> results = run(database, "query");

    assertThat(results).hasSize(2);
    for (TrialResult result : results) {
      LoadResult load = result.load().orElseThrow();
      String query = result.trial().load().level(Axis.PART).orElseThrow().text();
      Map<String, Long> labels = new TreeMap<>();
      load.labels().forEach(label -> labels.put(label.label(), label.samples()));
      assertThat(labels).isEqualTo(Map.of(query, 4L, query + " connect", 4L));
      assertThat(load.samples()).isEqualTo(4);
      assertThat(load.meanMillis() * 4 / 1e3).isLessThan(result.window().seconds());
      // A busy machine may make a trial invalid, but not its work incomplete.
      assertThat(result.findings())
          .filteredOn(Finding::excludes)
          .extracting(Finding::rule)
          .doesNotContain(Rule.WINDOW, Rule.LITTLES_LAW, Rule.SAMPLES, Rule.ERRORS);
      Map<String, Double> blocks = new TreeMap<>();
      result.measures().forEach(measure -> blocks.put(measure.name(), measure.value()));
      assertThat(blocks.get("heap-read")).isZero();
      double used = blocksOf(database, query);
      assertThat(blocks.get("heap-hit") + blocks.get("index-hit"))
          .isBetween(0.99 * used, used + PLANNING);
    }
  }

  @Test
  void refusesWhatContradictsItself(Database database) {
    Map<String, String> wrong =
        Map.of(
            "passes: 0", "'measure: work' needs 'passes'",
            "state: cold", "'state: cold' needs 'cold', 'passes: 1' and one query a trial",
            "each: ", "'instrument' needs one query a trial",
            "measure: ", "'state', 'instrument' and 'within' need a fixed amount of work");
    wrong.forEach(
        (line, sentence) -> {
          Map<String, Object> options = new HashMap<>(Option.defaults(new TpchType().options()));
          options.putAll(FreshDatabase.options(database));
          options.putAll(
              Map.of(
                  "scale",
                  0.01,
                  "measure",
                  "work",
                  "passes",
                  5L,
                  "state",
                  "warm",
                  "each",
                  "query",
                  "instrument",
                  "statements"));
          String[] edit = line.split(": ", 2);
          if (edit[1].isEmpty()) {
            options.remove(edit[0]);
          } else {
            options.put(edit[0], edit[0].equals("passes") ? 0L : edit[1]);
          }
          assertThatThrownBy(
                  () -> Workloads.of("tpch", Optional.empty(), Optional.empty(), Map.of(), options))
              .hasMessageContaining(sentence);
        });
  }

  @Test
  void anExperimentOfWorkHasNoWindow(Database database) throws IOException {
    Map<String, Object> options = FreshDatabase.options(database);
    Path file = directory.resolve("window.yaml");
    Files.writeString(
        file,
        EXPERIMENT.formatted(
                "one",
                options.get("database"),
                options.get("database-user"),
                options.get("database-password-file"))
            + "measure: 30s\nwarm-up: 5s\n");
    assertThatThrownBy(() -> ExperimentFiles.read(file))
        .message()
        .contains(
            "'measure' has no meaning with 'measure: work' of the workload",
            "'warm-up' has no meaning with 'measure: work' of the workload");
  }
}
