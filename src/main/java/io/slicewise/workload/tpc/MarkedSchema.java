package io.slicewise.workload.tpc;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.target.TargetSchema.SchemaMark;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * A PostgreSQL schema that Slicewise created and marked: its table {@value SchemaMark#TABLE}
 * describes the contents. A schema without the mark, or with other objects, is never changed. A
 * schema is created in one transaction, so it exists completely or not at all.
 */
final class MarkedSchema {
  /** Lists tables, views, sequences and functions, to find those of others. */
  private static final String CONTENTS =
      "SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
          + " WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v', 'm', 'S', 'f')"
          + " UNION SELECT p.proname FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
          + " WHERE n.nspname = ?";

  private final Database database;
  private final String name;
  private final Set<String> tables;

  /**
   * @param name of the schema; lower case letters and underscores
   * @param tables created by Slicewise, without the mark
   */
  MarkedSchema(Database database, String name, Set<String> tables) {
    if (!database.url().startsWith("jdbc:postgresql:")) {
      throw SlicewiseException.input(
          "database " + database.url() + " is not PostgreSQL, which this workload requires",
          "write it as jdbc:postgresql://HOST/DATABASE");
    }
    this.database = database;
    this.name = name;
    this.tables = Set.copyOf(tables);
  }

  /**
   * The description in the mark; empty if the schema does not exist.
   *
   * @throws SlicewiseException if Slicewise did not create the schema, or it contains other objects
   */
  Optional<String> content() {
    return database.inTransaction("checking schema " + name, this::content);
  }

  /** Creates the schema, replacing an earlier one of Slicewise. */
  void create(String content, Database.Work<?> filling) {
    database.inTransaction(
        "creating schema " + name,
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

  /** Drops the schema if it exists; rejects one that Slicewise did not create. */
  void drop() {
    database.inTransaction("dropping schema " + name, this::dropIfPresent);
  }

  /** Runs work on the tables and returns its result. */
  <T> T use(String doing, Database.Work<T> work) {
    return database.inTransaction(
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

  /**
   * Drops the schema without CASCADE: if other objects depend on the tables, the server refuses and
   * everything is kept.
   */
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
