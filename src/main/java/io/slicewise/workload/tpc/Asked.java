package io.slicewise.workload.tpc;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Queries that this process itself asks, outside the measured work.
 *
 * @param schema of their tables
 * @param application the name of the load's sessions
 */
record Asked(Database database, String schema, String application, List<String> queries) {
  /** Paths, addresses and names, which say nothing about speed. */
  private static final String PLACES =
      "'(_file|_director(y|ies)|_addresses|^port|_name|^log_|^lc_|^config|TimeZone|_timezone"
          + "|^DateStyle|_search_config|^restore|^primary|_pid_file|^ssl)'";

  Asked(Database database, String schema, String application, Collection<String> queries) {
    this(database, schema, application, List.copyOf(queries));
  }

  /** Opens a connection on which a query is one message. */
  Connection connect() throws SQLException {
    return database.connect(
        Map.of(
            "currentSchema",
            schema,
            "ApplicationName",
            application + "-once",
            "preferQueryMode",
            "simple"));
  }

  /** Runs every query once and reads its rows. */
  void run() {
    try (Connection connection = connect()) {
      for (String query : queries) {
        read(connection, query);
      }
    } catch (SQLException fault) {
      throw database.fault("warming up", fault);
    }
  }

  /** Reads the rows of a query. */
  static void read(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        rows.getObject(1);
      }
    }
  }

  /** Returns when the server was started. */
  static Instant started(Database database) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT pg_postmaster_start_time()")) {
      row.next();
      return row.getTimestamp(1).toInstant();
    } catch (SQLException fault) {
      throw database.fault("asking when it was started", fault);
    }
  }

  /** Returns {@link #facts}; empty if the server does not show them. */
  static Map<String, String> shownFacts(Database database) {
    try {
      return facts(database);
    } catch (SQLException | SlicewiseException notShown) {
      return Map.of();
    }
  }

  /** Returns the server's version and every setting that is not its default. */
  static Map<String, String> facts(Database database) throws SQLException {
    Map<String, String> facts = new TreeMap<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT name, current_setting(name) FROM pg_settings WHERE name = 'server_version'"
                    + " OR source NOT IN ('default', 'override', 'client', 'session') AND name !~ "
                    + PLACES)) {
      while (rows.next()) {
        facts.put("PostgreSQL " + rows.getString(1).replace("server_", ""), rows.getString(2));
      }
    }
    return facts;
  }
}
