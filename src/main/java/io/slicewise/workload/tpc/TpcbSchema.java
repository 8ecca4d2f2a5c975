package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;

/**
 * The tables of pgbench's TPC-B-like transaction at one scale in their own schema: branches, ten
 * tellers and 100,000 accounts each, and an empty history.
 */
final class TpcbSchema {
  static final String NAME = "slicewise_tpcb";

  private static final Set<String> TABLES = Set.of("branches", "tellers", "accounts", "history");
  private static final int TELLERS = 10;
  static final int ACCOUNTS = 100_000;

  private static final String SUMS =
      "SELECT (SELECT coalesce(sum(abalance), 0) FROM accounts),"
          + " (SELECT coalesce(sum(tbalance), 0) FROM tellers),"
          + " (SELECT coalesce(sum(bbalance), 0) FROM branches),"
          + " (SELECT coalesce(sum(delta), 0) FROM history)";

  private final Database database;
  private final MarkedSchema schema;
  private final int scale;

  TpcbSchema(Database database, int scale) {
    this.database = database;
    this.scale = scale;
    schema = new MarkedSchema(database, NAME, TABLES);
  }

  /** Creates and fills the tables. */
  void create() {
    schema.create(
        "tpcb at scale " + scale,
        connection -> {
          SqlScript.run(connection, "tpcb-tables.sql");
          for (String filling : fillings()) {
            MarkedSchema.execute(connection, filling);
          }
          return true;
        });
    vacuum();
  }

  private List<String> fillings() {
    String series = " FROM generate_series(1, %d) AS number";
    return List.of(
        "INSERT INTO branches (bid, bbalance) SELECT number, 0" + series.formatted(scale),
        "INSERT INTO tellers (tid, bid, tbalance) SELECT number, (number - 1) / %s + 1, 0%s"
            .formatted(TELLERS, series.formatted(TELLERS * scale)),
        ("INSERT INTO accounts (aid, bid, abalance, filler) SELECT number, (number - 1)"
                + " / %s + 1, 0, ''%s")
            .formatted(ACCOUNTS, series.formatted(ACCOUNTS * scale)),
        "ALTER TABLE branches ADD PRIMARY KEY (bid)",
        "ALTER TABLE tellers ADD PRIMARY KEY (tid)",
        "ALTER TABLE accounts ADD PRIMARY KEY (aid)");
  }

  /** Vacuums as pgbench does, outside the transaction, as PostgreSQL requires. */
  private void vacuum() {
    try (Connection connection = database.connect()) {
      for (String table : TABLES) {
        MarkedSchema.execute(connection, "VACUUM ANALYZE " + NAME + "." + table);
      }
    } catch (SQLException fault) {
      throw database.fault("vacuuming schema " + NAME, fault);
    }
  }

  /**
   * Checks an existing schema, without changing anything.
   *
   * @throws SlicewiseException if Slicewise did not create it, or the database does not answer
   */
  void check() {
    schema.content();
  }

  void drop() {
    schema.drop();
  }

  /**
   * Compares the books: the sums of accounts, tellers and branches must equal the sum of the
   * history. Does nothing without a schema.
   *
   * @throws SlicewiseException with the four sums if they differ
   */
  void checkBooks() {
    if (schema.content().isEmpty()) {
      return;
    }
    List<Long> sums = schema.use("comparing the books", TpcbSchema::sums);
    if (sums.stream().distinct().count() > 1) {
      throw new SlicewiseException(
          ErrorKind.TRIAL_FAILED,
          "the books of %s in %s do not agree: accounts %s, tellers %s, branches %s, history %s"
              .formatted(NAME, database.url(), sums.get(0), sums.get(1), sums.get(2), sums.get(3)),
          "something else wrote to them, the server lost a transaction, or your own plan does not"
              + " keep them");
    }
  }

  private static List<Long> sums(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(SUMS)) {
      row.next();
      return List.of(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4));
    }
  }
}
