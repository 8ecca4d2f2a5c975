package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.SchemaMark;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A schema of PostgreSQL that was made here and says so: its table {@value SchemaMark#TABLE} tells
 * what is in it. One without the mark, or with anything that was not made here, is never touched.
 * What is made is made in one transaction, so that a schema is there in full or not at all.
 */
final class MarkedSchema {
  /** Tables, views, sequences and functions: what somebody else may have put there. */
  private static final String CONTENTS =
      "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')"
          + " UNION SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
          + " WHERE n.nspname = ?";

  private final Database database;
  private final String name;
  private final Set<String> tables;

  /** Work inside the transaction that makes or changes the schema; it is first on the path. */
  interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  /**
   * @param name of the schema; lower case letters and underscores
   * @param tables made here, without the mark
   */
  MarkedSchema(Database database, String name, Set<String> tables) {
    if (!database.url().startsWith("jdbc:postgresql:")) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          "database " + database.url() + " is not PostgreSQL, which this workload is written for",
          "write it as jdbc:postgresql://HOST/DATABASE");
    }
    this.database = database;
    this.name = name;
    this.tables = Set.copyOf(tables);
  }

  /**
   * What the mark says is in the schema; empty when there is no schema of that name.
   *
   * @throws SlicewiseException if the schema was not made here, or something foreign is in it
   */
  Optional<String> content() {
    return run("looking at schema " + name, this::content);
  }

  /** Makes the schema anew; an earlier one that was made here goes. */
  void create(String content, Work<?> filling) {
    run(
        "setting schema " + name + " up",
        connection -> {
          dropIfPresent(connection);
          execute(connection, "CREATE SCHEMA " + name);
          execute(connection, "SET LOCAL search_path TO " + name);
          execute(connection, "CREATE TABLE " + SchemaMark.TABLE + " (content text NOT NULL)");
          try (PreparedStatement mark =
              connection.prepareStatement("INSERT INTO " + SchemaMark.TABLE + " VALUES (?)")) {
            mark.setString(1, content);
            mark.executeUpdate();
          }
          return filling.on(connection);
        });
  }

  /** Drops the schema if it is there; a foreign one is left and told. */
  void drop() {
    run("dropping schema " + name, this::dropIfPresent);
  }

  /** Does something with the tables and gives its result. */
  <T> T use(String doing, Work<T> work) {
    return run(
        doing,
        connection -> {
          execute(connection, "SET LOCAL search_path TO " + name);
          return work.on(connection);
        });
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private <T> T run(String doing, Work<T> work) {
    try (Connection connection = database.connect()) {
      connection.setAutoCommit(false);
      T result = work.on(connection);
      connection.commit();
      return result;
    } catch (SQLException fault) {
      throw database.fault(doing, fault);
    }
  }

  private Optional<String> content(Connection connection) throws SQLException {
    Set<String> found = names(connection, "SELECT nspname FROM pg_namespace WHERE nspname = ?");
    if (found.isEmpty()) {
      return Optional.empty();
    }
    Set<String> foreign = names(connection, CONTENTS);
    boolean marked = foreign.remove(SchemaMark.TABLE);
    foreign.removeAll(tables);
    SchemaMark.check(database, name, marked, foreign);
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT content FROM " + name + "." + SchemaMark.TABLE)) {
      return Optional.of(rows.next() ? rows.getString(1) : "");
    }
  }

  /** Without CASCADE: whatever else hangs on the tables makes the server refuse, and all stays. */
  private boolean dropIfPresent(Connection connection) throws SQLException {
    if (content(connection).isEmpty()) {
      return false;
    }
    Set<String> own = new TreeSet<>(tables);
    own.add(SchemaMark.TABLE);
    for (String table : own) {
      execute(connection, "DROP TABLE IF EXISTS " + name + "." + table);
    }
    execute(connection, "DROP SCHEMA " + name);
    return true;
  }

  private Set<String> names(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      for (int at = 1; at <= statement.getParameterMetaData().getParameterCount(); at++) {
        statement.setString(at, name);
      }
      Set<String> names = new TreeSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      return names;
    }
  }
}
