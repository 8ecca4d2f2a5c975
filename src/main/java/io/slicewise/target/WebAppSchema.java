package io.slicewise.target;

import io.slicewise.units.ExitCode;
import io.slicewise.units.SlicewiseException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The web application's tables in a schema of their own. The table {@value #MARK} marks the schema
 * as made here: a schema without it, or with tables that were not made here, is never touched.
 *
 * <p>The SQL is the part that PostgreSQL and MariaDB/MySQL share; what one calls a schema, the
 * other calls a database. Every method throws {@link SlicewiseException} with one sentence.
 */
public final class WebAppSchema {
  /** The schema's name, the same everywhere. */
  public static final String NAME = "slicewise_web_app";

  static final String MARK = "slicewise_mark";
  private static final Set<String> OWN_TABLES = Set.of("users", "content", "log", MARK);
  private static final int STATEMENT_SECONDS = 30;

  private static final List<String> CREATE =
      List.of(
          "CREATE SCHEMA " + NAME,
          "CREATE TABLE " + in(MARK) + " (made_by VARCHAR(40) NOT NULL)",
          "CREATE TABLE "
              + in("users")
              + " (name VARCHAR(40) NOT NULL PRIMARY KEY, password_md5 CHAR(32) NOT NULL)",
          "CREATE TABLE "
              + in("content")
              + " (id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(100) NOT NULL, body TEXT NOT"
              + " NULL)",
          "CREATE TABLE "
              + in("log")
              + " (at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL, user_name VARCHAR(40) NOT NULL,"
              + " content_id INTEGER NOT NULL)");

  /** The mark goes last, so that a drop cut short can be repeated. */
  private static final List<String> DROP =
      List.of(
          "DROP TABLE IF EXISTS " + in("log"),
          "DROP TABLE IF EXISTS " + in("content"),
          "DROP TABLE IF EXISTS " + in("users"),
          "DROP TABLE " + in(MARK),
          "DROP SCHEMA " + NAME);

  private final Database database;

  public WebAppSchema(Database database) {
    this.database = database;
  }

  static String in(String table) {
    return NAME + "." + table;
  }

  /** Whether the schema is there, whoever made it. */
  public boolean exists() {
    return run("looking for the schema", WebAppSchema::exists);
  }

  /**
   * Why the schema could not be set up or dropped, without changing anything; else does nothing.
   */
  public void check() {
    run("looking at the schema", connection -> exists(connection) && refuseForeign(connection));
  }

  /** Drops what an earlier set-up left, then makes the tables anew, filled. */
  public void create() {
    run(
        "setting the schema up",
        connection -> {
          dropIfPresent(connection);
          execute(connection, CREATE);
          fill(connection);
          return true;
        });
  }

  /** Drops the schema if it is there and made here. */
  public void drop() {
    run("dropping the schema", this::dropIfPresent);
  }

  private boolean dropIfPresent(Connection connection) throws SQLException {
    if (!exists(connection)) {
      return false;
    }
    refuseForeign(connection);
    execute(connection, DROP);
    return true;
  }

  /** One transaction where the server can: PostgreSQL rolls a failed set-up back as a whole. */
  private <T> T run(String doing, Work<T> work) {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      T result = work.on(connection);
      connection.commit();
      return result;
    } catch (SQLException fault) {
      throw DatabaseFault.of(database, doing, fault);
    }
  }

  private static boolean exists(Connection connection) throws SQLException {
    return !names(
            connection, "SELECT schema_name FROM information_schema.schemata WHERE schema_name = ?")
        .isEmpty();
  }

  private boolean refuseForeign(Connection connection) throws SQLException {
    Set<String> foreign =
        names(
            connection, "SELECT table_name FROM information_schema.tables WHERE table_schema = ?");
    boolean marked = foreign.contains(MARK);
    foreign.removeAll(OWN_TABLES);
    foreign.addAll(
        names(
            connection,
            "SELECT routine_name FROM information_schema.routines WHERE routine_schema = ?"));
    if (!marked) {
      throw refusal("was not made by Slicewise (it has no table " + MARK + ")");
    }
    if (!foreign.isEmpty()) {
      throw refusal("holds what Slicewise did not make: " + String.join(", ", foreign));
    }
    return true;
  }

  private SlicewiseException refusal(String why) {
    return new SlicewiseException(
        ExitCode.PREFLIGHT,
        "schema " + NAME + " in " + database.url() + " " + why + ", so it is left alone",
        "move what is in it elsewhere, or give the workload a database of its own");
  }

  private static Set<String> names(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, NAME);
      Set<String> names = new TreeSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      return names;
    }
  }

  private static void execute(Connection connection, List<String> commands) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(STATEMENT_SECONDS);
      for (String command : commands) {
        statement.execute(command);
      }
    }
  }

  private static void fill(Connection connection) throws SQLException {
    try (PreparedStatement mark =
            connection.prepareStatement("INSERT INTO " + in(MARK) + " VALUES ('slicewise')");
        PreparedStatement user =
            connection.prepareStatement("INSERT INTO " + in("users") + " VALUES (?, ?)");
        PreparedStatement text =
            connection.prepareStatement("INSERT INTO " + in("content") + " VALUES (?, ?, ?)")) {
      mark.executeUpdate();
      for (Credentials credentials : SampleData.users()) {
        user.setString(1, credentials.user());
        user.setString(2, credentials.passwordMd5());
        user.addBatch();
      }
      user.executeBatch();
      for (SampleData.Article article : SampleData.articles()) {
        text.setInt(1, article.id());
        text.setString(2, article.title());
        text.setString(3, article.body());
        text.addBatch();
      }
      text.executeBatch();
    }
  }

  private interface Work<T> {
    T on(Connection connection) throws SQLException;
  }
}
