package io.slicewise.workload.target;

import io.slicewise.base.units.Secret;
import io.slicewise.base.units.SlicewiseException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Properties;
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
}
