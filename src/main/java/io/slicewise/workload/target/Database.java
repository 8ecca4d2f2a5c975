package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A database and its user. The address is safe to print: one that contains a password is rejected
 * with a {@link SlicewiseException}.
 *
 * @param url a JDBC address, e.g. {@code jdbc:postgresql://db.example/app}
 * @param user may be empty if the server requires none
 */
public record Database(String url, String user, Secret password) {
  private static final Pattern PASSWORD_INSIDE =
      Pattern.compile("[?&;](password|pwd)=|//[^/@?]*:[^/@?]*@", Pattern.CASE_INSENSITIVE);

  public Database {
    if (!url.startsWith("jdbc:")) {
      throw SlicewiseException.input(
          "database address '" + Secret.masked(url) + "' is not a JDBC address",
          "write it as jdbc:postgresql://HOST/DATABASE or jdbc:mariadb://HOST/DATABASE");
    }
    if (PASSWORD_INSIDE.matcher(url).find()) {
      throw SlicewiseException.input(
          "the database address contains a password, which would appear in logs and process lists",
          "provide the password in an environment variable or a file");
    }
  }

  /** The type of a column with bytes, for which PostgreSQL has its own name. */
  String blob() {
    return url.startsWith("jdbc:postgresql:") ? "BYTEA" : "MEDIUMBLOB";
  }

  /**
   * Opens one connection.
   *
   * @throws SlicewiseException if the driver is missing, or the server does not answer, refuses the
   *     login, or has no such database
   */
  public Connection connect() {
    return connect(Map.of());
  }

  /** Opens one connection with additional properties of the driver. */
  public Connection connect(Map<String, String> properties) {
    Properties login = new Properties();
    login.putAll(properties);
    if (!user.isEmpty()) {
      login.setProperty("user", user);
    }
    if (!password.isEmpty()) {
      login.setProperty("password", password.reveal());
    }
    try {
      return DriverManager.getConnection(url, login);
    } catch (SQLException fault) {
      throw DatabaseFault.of(this, "signing in", fault);
    }
  }

  /** Work on a connection. */
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * Runs work in one transaction if the server supports it, and returns its result: PostgreSQL
   * rolls back failed work completely.
   *
   * @throws SlicewiseException if it fails
   */
  public <T> T inTransaction(String doing, Work<T> work) {
    try (Connection connection = connect()) {
      connection.setAutoCommit(false);
      T result = work.on(connection);
      connection.commit();
      return result;
    } catch (SQLException fault) {
      throw fault(doing, fault);
    }
  }

  /** Explains a driver's exception in one sentence. */
  public SlicewiseException fault(String doing, SQLException fault) {
    return DatabaseFault.of(this, doing, fault);
  }

  /**
   * Turns the exceptions of a driver into one sentence. The kinds are distinguished by SQLSTATE
   * class (ISO/IEC 9075-2, clause 24), which PostgreSQL and MariaDB/MySQL both set, and by
   * MariaDB's own number if its state is general.
   */
  static final class DatabaseFault {
    private static final int MARIADB_UNKNOWN_DATABASE = 1049;

    /** Disk full and table full, which have the general state in MariaDB. */
    private static final Set<Integer> MARIADB_OUT_OF_ROOM = Set.of(1021, 1114);

    private DatabaseFault() {}

    static SlicewiseException of(Database database, String doing, SQLException fault) {
      String state = String.valueOf(fault.getSQLState());
      String where = database.url();
      if (String.valueOf(fault.getMessage()).startsWith("No suitable driver")) {
        return SlicewiseException.input(
            "there is no JDBC driver for " + where,
            "PostgreSQL's driver is included; put the jar of another driver into the lib directory",
            fault);
      }
      if (state.startsWith("28") || asksForPassword(fault)) {
        return blocked(
            "database " + where + " refuses user '" + database.user() + "' or the password",
            "check the user and the source of the password",
            fault);
      }
      if (state.equals("3D000") || fault.getErrorCode() == MARIADB_UNKNOWN_DATABASE) {
        return blocked(
            "the database named in " + where + " does not exist",
            "create it, or name another one",
            fault);
      }
      if (state.startsWith("08")) {
        return blocked(
            "database " + where + " does not answer: " + firstLine(fault),
            "check that the server runs and that its port is reachable from here",
            fault);
      }
      if (state.startsWith("53") || MARIADB_OUT_OF_ROOM.contains(fault.getErrorCode())) {
        return blocked(
            "database " + where + " is out of space while " + doing + ": " + firstLine(fault),
            "free disk space, memory or connections on the server",
            fault);
      }
      return blocked(
          "database " + where + " failed while " + doing + ": " + firstLine(fault), "", fault);
    }

    /**
     * Whether the password is missing, for which PostgreSQL's driver has the state of a lost
     * connection.
     */
    private static boolean asksForPassword(SQLException fault) {
      return "08004".equals(fault.getSQLState())
          && String.valueOf(fault.getMessage()).contains("no password was provided");
    }

    private static SlicewiseException blocked(String message, String hint, SQLException fault) {
      return new SlicewiseException(ErrorKind.NOT_READY, message, hint, fault);
    }

    private static String firstLine(SQLException fault) {
      return String.valueOf(fault.getMessage()).lines().findFirst().orElse("no reason given");
    }
  }
}
