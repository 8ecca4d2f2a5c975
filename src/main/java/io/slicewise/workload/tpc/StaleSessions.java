package io.slicewise.workload.tpc;

import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Ends what a generator that was killed has left on the server: PostgreSQL notices a client's death
 * only when it has something to tell it, and a long query would burden the next trial.
 */
final class StaleSessions {
  private static final int LIMIT_SECONDS = 30;
  private static final String END =
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          + " WHERE application_name = ? AND datname = current_database()"
          + " AND usename = current_user AND pid <> pg_backend_pid()";

  private StaleSessions() {}

  /** Ends this user's sessions in the database that have the application's name. */
  static void end(Database database, String application) {
    try (Connection connection = database.connect();
        PreparedStatement end = connection.prepareStatement(END)) {
      end.setQueryTimeout(LIMIT_SECONDS);
      end.setString(1, application);
      end.execute();
    } catch (SQLException fault) {
      throw database.fault("ending sessions that were left", fault);
    }
  }
}
