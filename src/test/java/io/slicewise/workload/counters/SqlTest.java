package io.slicewise.workload.counters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.Window;
import io.slicewise.workload.Workload;
import io.slicewise.workload.Workloads;
import io.slicewise.workload.counters.Counters.Growths;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.FreshDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Counters of a real PostgreSQL at both ends of a window: their differences are exact, and what was
 * reset, is missing or cannot be read makes no number.
 */
@ExtendWith(FreshDatabase.class)
class SqlTest {
  private static final Map<String, Object> MEASURES =
      Map.of("mean", Map.of("growth", "Millis", "per", "calls", "unit", "ms"));
  private static final Map<String, Object> RATE =
      Map.of("rate", Map.of("growth", "calls", "unit", "/s", "better", "more"));
  private static final Window ANY = new Window(Instant.EPOCH, Instant.EPOCH);

  private static Workload workload(Database database, String query) {
    return workload(database, query, MEASURES);
  }

  private static Workload workload(Database database, String query, Map<String, Object> measures) {
    Map<String, Object> options = new HashMap<>(FreshDatabase.options(database));
    options.put("query", query);
    options.put("measures", measures);
    return Workloads.of("sql", Optional.empty(), Optional.empty(), Map.of(), options);
  }

  private static void change(Database database, String... statements) throws SQLException {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  private static Counters served(Database database) throws SQLException {
    change(
        database,
        "CREATE TABLE served (calls bigint, millis double precision, name text)",
        "INSERT INTO served VALUES (9007199254740993, 500, 'one')");
    return workload(database, "SELECT * FROM served").counters().orElseThrow();
  }

  private static double value(Growths growths, String name) {
    return growths.measures().stream()
        .filter(measure -> measure.name().equals(name))
        .findFirst()
        .orElseThrow()
        .value();
  }

  @Test
  void readsTheDifferencesOfBothEnds(Database database) throws Exception {
    try (Counters counters = served(database)) {
      assertThat(counters.complaint()).isEmpty();
      counters.begin();
      change(database, "UPDATE served SET calls = calls + 41, millis = millis + 82");
      Counters.Reading reading = counters.end();
      assertThat(reading.isKnown()).isTrue();
      Growths grown = reading.in(ANY);
      assertThat(grown.faults()).isEmpty();
      assertThat(value(grown, "mean")).isEqualTo(2);
      assertThat(grown.raw()).contains("9007199254740993", "9007199254741034");
    }
  }

  @Test
  @Tag("thorough")
  void dividesByTheTimeBetweenBothAnswers(Database database) throws Exception {
    served(database).close();
    Workload rates = workload(database, "SELECT calls FROM served", RATE);
    try (Counters counters = rates.counters().orElseThrow()) {
      assertThat(counters.complaint()).isEmpty();
      long before = System.nanoTime();
      counters.begin();
      change(database, "UPDATE served SET calls = calls + 41");
      Thread.sleep(1_000);
      double rate = value(counters.end().in(ANY), "rate");
      double exact = 41e9 / (System.nanoTime() - before);
      assertThat(rate).isCloseTo(exact, within(0.25 * exact));
    }
  }

  @Test
  void isVoidIfACounterFellOrHasNoNumber(Database database) throws Exception {
    try (Counters counters = served(database)) {
      counters.begin();
      change(database, "UPDATE served SET calls = 5, millis = millis + 1");
      Growths reset = counters.end().in(ANY);
      assertThat(reset.faults())
          .anyMatch(fault -> fault.contains("calls was reset: it fell from 9007199254740993 to 5"));
      assertThat(value(reset, "mean")).isNaN();
      counters.begin();
      change(database, "UPDATE served SET millis = NULL, calls = calls + 1");
      Growths missing = counters.end().in(ANY);
      assertThat(missing.faults()).contains("column Millis has no number");
      assertThat(value(missing, "mean")).isNaN();
    }
  }

  @Test
  void isVoidIfNothingWasCountedOrAnEndWasNotRead(Database database) throws Exception {
    try (Counters counters = served(database)) {
      counters.begin();
      assertThat(counters.end().in(ANY).faults()).contains("column calls counted nothing");
      assertThat(counters.end().in(ANY).faults()).contains("it was not read at its begin");
      counters.begin();
      change(
          database,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
              + " current_database() AND pid <> pg_backend_pid()");
      Growths lost = counters.end().in(ANY);
      assertThat(lost.faults()).isNotEmpty();
      assertThat(lost.measures()).allMatch(measure -> Double.isNaN(measure.value()));
      counters.begin();
      change(database, "UPDATE served SET calls = calls + 1");
      assertThat(counters.end().in(ANY).faults()).isEmpty();
    }
  }

  @Test
  void complainsOfQueriesThatAreNoCounters(Database database) throws SQLException {
    change(database, "CREATE TABLE two (calls bigint, millis bigint)");
    assertThat(workload(database, "SELECT calls, millis FROM two").complaint().orElseThrow())
        .contains("has no row");
    change(database, "INSERT INTO two VALUES (1, 2), (3, 4)");
    assertThat(workload(database, "SELECT calls, millis FROM two").complaint().orElseThrow())
        .contains("more than one row");
    assertThat(workload(database, "SELECT 1 AS calls").complaint().orElseThrow())
        .contains("has no column 'Millis' with a number");
    assertThat(workload(database, "SELECT nothing").complaint().orElseThrow()).contains("nothing");
  }

  @Test
  void changesNothingWhateverTheQueryIs(Database database) throws SQLException {
    change(
        database,
        "CREATE TABLE kept (calls bigint)",
        "CREATE FUNCTION spoil() RETURNS bigint LANGUAGE sql AS"
            + " 'INSERT INTO kept VALUES (1) RETURNING calls'");
    assertThat(workload(database, "SELECT spoil() AS calls, 1 AS millis").complaint().orElseThrow())
        .contains("read-only transaction");
    assertThat(
            workload(
                    database,
                    "WITH gone AS (DELETE FROM kept RETURNING calls) SELECT 1 AS calls, 2 AS millis")
                .complaint()
                .orElseThrow())
        .contains("read-only transaction");
  }

  @Test
  void showsWhatTheLastSecondsHad(Database database) throws SQLException {
    try (Counters counters = served(database)) {
      Growths seen = counters.look(Duration.ofMillis(200));
      assertThat(seen.measures()).hasSize(1);
      assertThat(seen.faults()).containsExactly("column calls counted nothing");
    }
  }
}
