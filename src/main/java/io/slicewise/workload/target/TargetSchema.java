package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The tables of a sample application, which a workload creates and drops. The table {@value
 * SchemaMark#TABLE} marks them as created by Slicewise: a schema without it, or with other tables,
 * is never changed.
 *
 * <p>What PostgreSQL calls a schema, MariaDB and MySQL call a database. Every method throws {@link
 * io.slicewise.base.units.SlicewiseException} with one sentence.
 */
public record TargetSchema(Database database, String name, List<Table> tables, Filling filling) {
  private static final int STATEMENT_SECONDS = 30;

  /**
   * A table to create.
   *
   * @param columns the contents of its parentheses, in SQL that all servers support
   */
  record Table(String name, String columns) {}

  /** Fills the created tables. */
  @FunctionalInterface
  interface Filling {
    void fill(Connection connection) throws SQLException;
  }

  public TargetSchema {
    tables = List.copyOf(tables);
  }

  /** Returns whether the schema exists, whoever created it. */
  public boolean exists() {
    return database.inTransaction("checking for the schema", this::exists);
  }

  /** Checks that it can be created and dropped, without changing anything. */
  public void check() {
    database.inTransaction(
        "checking the schema", connection -> exists(connection) && refuseForeign(connection));
  }

  /** Drops the tables of an earlier set-up, then creates and fills them. */
  public void create() {
    database.inTransaction(
        "creating the schema",
        connection -> {
          dropIfPresent(connection);
          execute(connection, "CREATE SCHEMA " + name);
          try {
            make(connection);
          } catch (SQLException fault) {
            undo(connection, fault);
            throw fault;
          }
          return true;
        });
  }

  private void make(Connection connection) throws SQLException {
    execute(connection, "CREATE TABLE " + in(SchemaMark.TABLE) + " (made_by VARCHAR(40) NOT NULL)");
    execute(connection, "INSERT INTO " + in(SchemaMark.TABLE) + " VALUES ('slicewise')");
    for (Table table : tables) {
      execute(connection, "CREATE TABLE " + in(table.name) + " (" + table.columns + ")");
    }
    filling.fill(connection);
  }

  /**
   * Removes what was created: MariaDB cannot roll it back, and any table may fail on a full disk.
   */
  private void undo(Connection connection, SQLException why) {
    try {
      connection.rollback();
      for (Table table : tables) {
        execute(connection, "DROP TABLE IF EXISTS " + in(table.name));
      }
      execute(connection, "DROP TABLE IF EXISTS " + in(SchemaMark.TABLE));
      execute(connection, "DROP SCHEMA IF EXISTS " + name);
      connection.commit();
    } catch (SQLException fault) {
      why.addSuppressed(fault);
    }
  }

  /** Drops the schema if Slicewise created it. */
  public void drop() {
    database.inTransaction("dropping the schema", this::dropIfPresent);
  }

  private String in(String table) {
    return name + "." + table;
  }

  /** Drops the schema, the mark last, so that an interrupted drop can be repeated. */
  private boolean dropIfPresent(Connection connection) throws SQLException {
    if (!exists(connection)) {
      return false;
    }
    refuseForeign(connection);
    for (int last = tables.size() - 1; last >= 0; last--) {
      execute(connection, "DROP TABLE IF EXISTS " + in(tables.get(last).name));
    }
    execute(connection, "DROP TABLE " + in(SchemaMark.TABLE));
    execute(connection, "DROP SCHEMA " + name);
    return true;
  }

  private boolean exists(Connection connection) throws SQLException {
    return !names(
            connection, "SELECT schema_name FROM information_schema.schemata WHERE schema_name = ?")
        .isEmpty();
  }

  private boolean refuseForeign(Connection connection) throws SQLException {
    Set<String> foreign =
        names(
            connection, "SELECT table_name FROM information_schema.tables WHERE table_schema = ?");
    boolean marked = foreign.remove(SchemaMark.TABLE);
    tables.forEach(table -> foreign.remove(table.name));
    foreign.addAll(
        names(
            connection,
            "SELECT routine_name FROM information_schema.routines WHERE routine_schema = ?"));
    SchemaMark.check(database, name, marked, foreign);
    return true;
  }

  private Set<String> names(Connection connection, String query) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, name);
      Set<String> names = new TreeSet<>();
      try (ResultSet rows = statement.executeQuery()) {
        while (rows.next()) {
          names.add(rows.getString(1));
        }
      }
      return names;
    }
  }

  private static void execute(Connection connection, String command) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(STATEMENT_SECONDS);
      statement.execute(command);
    }
  }

  /** The table {@value #TABLE}, which marks a schema as created by Slicewise. */
  public static final class SchemaMark {
    /** The name of the table. */
    public static final String TABLE = "slicewise_mark";

    private SchemaMark() {}

    /**
     * Rejects a schema that Slicewise did not create or that contains other objects.
     *
     * @param marked whether the table exists
     * @param foreign names of other objects
     * @throws SlicewiseException with the reason
     */
    public static void check(
        Database database, String schema, boolean marked, Set<String> foreign) {
      if (!marked) {
        throw refusal(
            database, schema, "was not created by Slicewise (it has no table " + TABLE + ")");
      }
      if (!foreign.isEmpty()) {
        throw refusal(
            database,
            schema,
            "contains objects that Slicewise did not create: " + String.join(", ", foreign));
      }
    }

    private static SlicewiseException refusal(Database database, String schema, String why) {
      return new SlicewiseException(
          ErrorKind.NOT_READY,
          "schema " + schema + " in " + database.url() + " " + why + ", so it is not changed",
          "move its contents elsewhere, or use a separate database for the workload");
    }
  }
}
