package io.slicewise.workload.tpc;

import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * One client of the TPC-B-like transaction on its own connection. Statements are sent as plain
 * text, as by pgbench.
 */
final class TpcbClient implements AutoCloseable {
  private static final int MOST_MOVED = 5000;

  private final Connection connection;
  private final Statement statement;
  private final int scale;
  private final SplittableRandom random;

  /** The driver's settings other than address and login. */
  record Settings(String schema, int connectMillis, int querySeconds) {
    static final Settings USUAL = new Settings(TpcbSchema.NAME, 10_000, 0);

    /**
     * The driver's properties. They limit signing in and not connecting: a socket with a connect
     * timeout is polled before each answer, which costs two more system calls per statement.
     */
    private Map<String, String> properties() {
      Map<String, String> properties = new HashMap<>();
      properties.put("currentSchema", schema);
      properties.put("ApplicationName", Tpcb.APPLICATION);
      properties.put("preferQueryMode", "simple");
      properties.put("connectTimeout", "0");
      properties.put("loginTimeout", Integer.toString((connectMillis + 999) / 1000));
      return properties;
    }
  }

  TpcbClient(Database database, Settings settings, int scale, SplittableRandom random)
      throws SQLException {
    this.scale = scale;
    this.random = random;
    connection = database.connect(settings.properties());
    try {
      connection.setAutoCommit(false);
      statement = connection.createStatement();
      statement.setEscapeProcessing(false);
      statement.setQueryTimeout(settings.querySeconds());
    } catch (SQLException fault) {
      connection.close();
      throw fault;
    }
  }

  /**
   * Runs one transaction to its commit.
   *
   * @throws SQLException also if a statement did not affect exactly one row
   */
  void move() throws SQLException {
    int aid = random.nextInt(1, TpcbSchema.ACCOUNTS * scale + 1);
    int bid = random.nextInt(1, scale + 1);
    int tid = random.nextInt(1, 10 * scale + 1);
    int delta = random.nextInt(-MOST_MOVED, MOST_MOVED + 1);
    update("UPDATE accounts SET abalance = abalance + (" + delta + ") WHERE aid = " + aid);
    balance("SELECT abalance FROM accounts WHERE aid = " + aid);
    update("UPDATE tellers SET tbalance = tbalance + (" + delta + ") WHERE tid = " + tid);
    update("UPDATE branches SET bbalance = bbalance + (" + delta + ") WHERE bid = " + bid);
    update(
        "INSERT INTO history (tid, bid, aid, delta, mtime) VALUES ("
            + (tid + ", " + bid + ", " + aid + ", " + delta + ", CURRENT_TIMESTAMP)"));
    connection.commit();
  }

  private void update(String sql) throws SQLException {
    expectOne(statement.executeUpdate(sql), sql);
  }

  private void balance(String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      int found = 0;
      while (rows.next()) {
        rows.getInt(1);
        found++;
      }
      expectOne(found, sql);
    }
  }

  private static void expectOne(int rows, String sql) throws SQLException {
    if (rows != 1) {
      throw new SQLException(rows + " rows instead of one: " + sql, "02000");
    }
  }

  /** Rolls back the current transaction; returns whether the connection is still usable. */
  boolean giveUp() {
    try {
      connection.rollback();
      return true;
    } catch (SQLException broken) {
      return false;
    }
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
