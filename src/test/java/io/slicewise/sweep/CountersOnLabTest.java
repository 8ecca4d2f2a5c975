package io.slicewise.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.slicewise.KeepsTheMachineBusy;
import io.slicewise.MeasuresInRealTime;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.lab.Lab;
import io.slicewise.lab.LabSettings;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.validity.Judgement;
import io.slicewise.workload.counters.CountedSite;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What counters of a metrics server and of a database show decides about windows of pairs, and what
 * they do not show makes no window that counts; the settings found are back in either case.
 */
@KeepsTheMachineBusy
@MeasuresInRealTime
@ExtendWith(FreshDatabase.class)
class CountersOnLabTest extends SweepsOnLab {
  private static final int RUSH = 3;

  private Path experiment(Lab lab, String workload) throws IOException {
    Path file =
        LabExperiment.pairs(
            lab, directory, "window: 4s, wash-out: 500ms, at-most: {pairs: 2}, harm: {time: 10m}");
    return Files.writeString(
        file,
        Files.readString(file)
            .replace("  user: root\n", "  user: root\n  dead-man: 1m\n")
            .replaceAll("(?m)^goal: highest run share.*\n", "")
            .replace("workload: observe\n", workload));
  }

  private List<TrialResult> run(Path file, Consumer<Trial> measured) {
    Sweep sweep = sweep(LabExperiment.read(file), measuring(measured));
    sweep.execute();
    return sweep.run().results();
  }

  private static double value(TrialResult result, String name) {
    return new OutcomeMetric(name).value(result.measures());
  }

  private static String reasons(TrialResult result) {
    return String.join("; ", new Judgement(result.findings()).reasons());
  }

  /** Strikes a second after the window of a trial has begun. */
  private static Consumer<Trial> striking(
      ScheduledExecutorService later, Map<Integer, Runnable> faults) {
    return trial -> {
      if (faults.containsKey(trial.number())) {
        ScheduledFuture<?> strike = later.schedule(faults.get(trial.number()), 1, TimeUnit.SECONDS);
        assertThat(strike.isCancelled()).isFalse();
      }
    };
  }

  @Test
  void aMetricsServerShowsWhatTheSiteServedAndNothingElse() throws Exception {
    try (Lab lab = Lab.start(burning());
        CountedSite site = new CountedSite()) {
      LabSettings asFound = lab.settings();
      TimeUnit.SECONDS.sleep(3);
      List<TrialResult> results = run(experiment(lab, site.workload()), trial -> {});
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(results).hasSize(4).allMatch(TrialResult::valid);
      for (TrialResult result : results) {
        double rate = site.rate(result.window());
        assertThat(value(result, "rate")).isCloseTo(rate, Offset.offset(0.1 * rate));
        assertThat(value(result, "mean")).isCloseTo(0.02, Offset.offset(1e-6));
      }
    }
  }

  @Test
  void aServerThatIsAwayAndACounterThatIsResetMakeNoWindowThatCounts() throws Exception {
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    try (Lab lab = Lab.start(burning());
        CountedSite site = new CountedSite()) {
      LabSettings asFound = lab.settings();
      TimeUnit.SECONDS.sleep(3);
      Runnable away =
          () -> {
            // What it does not see would change the rate.
            site.rush(RUSH);
            site.trouble(CountedSite.Trouble.AWAY);
            var unused =
                later.schedule(
                    () -> {
                      site.trouble(CountedSite.Trouble.NONE);
                      site.rush(1);
                    },
                    2,
                    TimeUnit.SECONDS);
          };
      List<TrialResult> results =
          run(experiment(lab, site.workload()), striking(later, Map.of(2, away, 3, site::reset)));
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(results).hasSize(4);
      assertThat(results).extracting(TrialResult::valid).containsExactly(true, false, false, true);
      assertThat(reasons(results.get(1))).containsAnyOf("was not read for", "does not answer");
      assertThat(reasons(results.get(2))).contains("was reset");
    } finally {
      later.shutdownNow();
    }
  }

  /** Orders that a shop takes, each a row that its database counts. */
  private static final class Shop implements AutoCloseable {
    private final Database database;
    private final ScheduledExecutorService work = Executors.newSingleThreadScheduledExecutor();

    Shop(Database database) throws SQLException {
      this.database = database;
      change(
          "CREATE TABLE served (calls bigint, millis bigint)", "INSERT INTO served VALUES (7, 7)");
      ScheduledFuture<?> serving =
          work.scheduleAtFixedRate(this::order, 0, 100, TimeUnit.MILLISECONDS);
      assertThat(serving.isCancelled()).isFalse();
    }

    final void change(String... statements) {
      try (Connection connection = database.connect();
          Statement statement = connection.createStatement()) {
        for (String sql : statements) {
          statement.execute(sql);
        }
      } catch (SQLException fault) {
        throw new IllegalStateException(fault);
      }
    }

    private void order() {
      change("UPDATE served SET calls = calls + 1, millis = millis + 5");
    }

    String workload() {
      Map<String, Object> options = FreshDatabase.options(database);
      return """
          workload:
            name: sql
            database: "%s"
            database-user: %s
            database-password-file: %s
            query: SELECT calls, millis FROM served
            measures:
              mean: {growth: millis, per: calls, unit: ms}
          goal: lowest outcome mean
          """
          .formatted(
              options.get("database"),
              options.get("database-user"),
              options.get("database-password-file"));
    }

    @Override
    public void close() {
      work.shutdownNow();
    }
  }

  @Test
  void aDatabaseShowsWhatItCountedAndNothingElse(Database database) throws Exception {
    ScheduledExecutorService later = Executors.newSingleThreadScheduledExecutor();
    try (Lab lab = Lab.start(burning());
        Shop shop = new Shop(database)) {
      LabSettings asFound = lab.settings();
      Runnable lost =
          () ->
              shop.change(
                  "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
                      + " current_database() AND (query LIKE 'SELECT calls%' OR query = 'ROLLBACK')");
      List<TrialResult> results =
          run(
              experiment(lab, shop.workload()),
              striking(
                  later, Map.of(2, () -> shop.change("UPDATE served SET calls = 0"), 3, lost)));
      assertThat(lab.settings()).isEqualTo(asFound);
      assertThat(results).hasSize(4);
      assertThat(results).extracting(TrialResult::valid).containsExactly(true, false, false, true);
      assertThat(reasons(results.get(1))).contains("calls was reset");
      assertThat(reasons(results.get(2))).containsAnyOf("reading counters", "does not answer");
      for (TrialResult result : List.of(results.get(0), results.get(3))) {
        assertThat(value(result, "mean")).isCloseTo(5, Offset.offset(1e-9));
      }
    } finally {
      later.shutdownNow();
    }
  }
}
