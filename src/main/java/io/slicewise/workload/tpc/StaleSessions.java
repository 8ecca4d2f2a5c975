package io.slicewise.workload.tpc;

import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Ends the sessions of a killed generator: PostgreSQL notices a dead client only when it sends
 * something, and a long query would affect the next trial.
 */
final class StaleSessions {
  private static final int LIMIT_SECONDS = 30;
  private static final String END =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          + " WHERE application_name = ? AND datname = current_database()"
          + " AND usename = current_user AND pid <> pg_backend_pid()";

  private StaleSessions() {}

  /** Ends this user's sessions with the application's name in the database. */
  static void end(Database database, String application) {
    try (Connection connection = database.connect();
        PreparedStatement end = connection.prepareStatement(END)) {
      end.setQueryTimeout(LIMIT_SECONDS);
      end.setString(1, application);
      end.execute();
    } catch (SQLException fault) {
      throw database.fault("ending stale sessions", fault);
    }
  }
}
