package io.slicewise.workload.tpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slicewise.base.units.Measure;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import io.slicewise.workload.target.Rows;
import io.slicewise.workload.tpc.WorkOptions.StatementUsage;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** PostgreSQL's own report of a statement, from its notice and from a real server. */
@ExtendWith(FreshDatabase.class)
class StatementUsageTest {
  private static final String NOTICE =
      """
      ! system usage stats:
      !\t0.014230 s user, 0.002010 s system, 1.230000 s elapsed
      !\t[0.024230 s user, 0.006010 s system total]
      !\t23552 kB max resident size
      !\t1024/8 [2048/16] filesystem blocks in/out
      !\t3/812 [4/2210] page faults/reclaims, 0 [0] swaps
      !\t0 [0] signals rcvd, 0/0 [0/0] messages rcvd/sent
      !\t17/2 [39/4] voluntary/involuntary context switches
      """;

  @Test
  void takesTheStatementsNumbersAndNotTheSessions() {
    assertThat(StatementUsage.parse(NOTICE).values())
        .containsOnly(
            entry("user", 0.01423),
            entry("system", 0.00201),
            entry("elapsed", 1.23),
            entry("blocks-in", 1024.0),
            entry("blocks-out", 8.0),
            entry("major-faults", 3.0),
            entry("minor-faults", 812.0),
            entry("switches", 17.0),
            entry("preemptions", 2.0));
    assertThat(StatementUsage.parse("! system usage stats:").values()).isEmpty();
    assertThat(StatementUsage.parse(NOTICE).measures())
        .contains(new Measure("statement-user", "s", false, 0.01423))
        .contains(new Measure("statement-minor-faults", "", false, 812));
  }

  /** A session maps each page of the shared buffers when it first touches it, and never again. */
  @Test
  void theFirstRunOfASessionFaultsAndTheSecondAlmostNot(Database database) throws SQLException {
    Rows.execute(
        database,
        "CREATE TABLE filled AS SELECT g, repeat('x', 400) AS text FROM generate_series(1, 40000)"
            + " g");
    String query = "SELECT sum(length(text)) FROM filled";
    Asked asked = new Asked(database, "public", "usage", List.of(query));
    try (Connection kept = asked.connect()) {
      double first = StatementUsage.of(kept, query).values().get("minor-faults");
      double second = StatementUsage.of(kept, query).values().get("minor-faults");
      // The kernel maps up to 16 pages around each.
      assertThat(first).isGreaterThan(100);
      assertThat(second).isLessThan(first / 5);
    }
    double opened = StatementUsage.of(asked, 1).values().get("minor-faults");
    assertThat(opened).isGreaterThan(100);
    assertThat(StatementUsage.of(asked, 5).values().get("minor-faults"))
        .as("four of five executions touch no new page")
        .isBetween(opened / 6, opened / 2);
    assertThat(StatementUsage.of(asked, 5).values().get("elapsed")).isPositive();
  }

  @Test
  @Tag("thorough")
  void theWaitForACpuIsThereForARoleThatMayReadTheKernelsAccount(Database database)
      throws SQLException {
    assumeThat(Path.of("/proc/self/schedstat")).exists();
    String query = "SELECT count(*) FROM generate_series(1, 100000)";
    Asked asked = new Asked(database, "public", "usage", List.of(query));
    Map<String, Double> all = StatementUsage.of(asked, 1).values();
    assertThat(all.get("cpu-wait")).isNotNegative();
    assertThat(all.get("user") + all.get("system") + all.get("cpu-wait"))
        .as("a statement that only computes runs or waits for a CPU")
        .isCloseTo(all.get("elapsed"), within(0.05 + 0.1 * all.get("elapsed")));
    try (Connection without = asked.connect()) {
      without.createStatement().execute("SET ROLE pg_read_server_files");
      assertThat(StatementUsage.of(without, query).values())
          .containsKey("user")
          .doesNotContainKey("cpu-wait");
    }
  }

  @Test
  void aServerThatMayNotReportIsAnError(Database database) {
    Asked asked = new Asked(database, "public", "usage", List.of("SELECT 1"));
    assertThatThrownBy(
            () -> {
              try (Connection connection = asked.connect()) {
                connection.createStatement().execute("SET ROLE pg_monitor");
                StatementUsage.of(connection, "SELECT 1");
              }
            })
        .isInstanceOf(SQLException.class);
  }

  @Test
  void factsAreTheVersionAndWhatIsNoDefaultWithoutPlaces(Database database) throws SQLException {
    assertThat(Asked.facts(database))
        .containsKeys("PostgreSQL version", "PostgreSQL shared_buffers")
        .containsEntry("PostgreSQL max_parallel_workers_per_gather", "0")
        .doesNotContainKeys(
            "PostgreSQL port", "PostgreSQL data_directory", "PostgreSQL unix_socket_directories")
        .allSatisfy((name, value) -> assertThat(value).as(name).doesNotContain("/"));
  }
}
