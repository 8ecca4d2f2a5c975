package io.slicewise.workload.tpc;

import io.slicewise.target.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.SplittableRandom;

/** One client of the TPC-B-like transaction on a connection of its own, for background load. */
final class TpcbClient implements AutoCloseable {
  private static final int MOST_MOVED = 5000;

  private final Connection connection;
  private final int scale;
  private final SplittableRandom random;
  private final PreparedStatement account;
  private final PreparedStatement balance;
  private final PreparedStatement teller;
  private final PreparedStatement branch;
  private final PreparedStatement history;

  TpcbClient(Database database, int scale, long seed) throws SQLException {
    this.scale = scale;
    random = new SplittableRandom(seed);
    connection = database.connect();
    try {
      connection.setAutoCommit(false);
      MarkedSchema.execute(connection, "SET application_name TO '" + Tpcb.APPLICATION + "'");
      MarkedSchema.execute(connection, "SET search_path TO " + TpcbSchema.NAME);
      account =
          connection.prepareStatement("UPDATE accounts SET abalance = abalance + ? WHERE aid = ?");
      balance = connection.prepareStatement("SELECT abalance FROM accounts WHERE aid = ?");
      teller =
          connection.prepareStatement("UPDATE tellers SET tbalance = tbalance + ? WHERE tid = ?");
      branch =
          connection.prepareStatement("UPDATE branches SET bbalance = bbalance + ? WHERE bid = ?");
      history =
          connection.prepareStatement(
              "INSERT INTO history (tid, bid, aid, delta, mtime)"
                  + " VALUES (?, ?, ?, ?, CURRENT_TIMESTAMP)");
      connection.commit();
    } catch (SQLException fault) {
      connection.close();
      throw fault;
    }
  }

  /** Runs one transaction to its commit. */
  void move() throws SQLException {
    int aid = random.nextInt(1, TpcbSchema.ACCOUNTS * scale + 1);
    int bid = random.nextInt(1, scale + 1);
    int tid = random.nextInt(1, 10 * scale + 1);
    int delta = random.nextInt(-MOST_MOVED, MOST_MOVED + 1);
    update(account, delta, aid);
    balance.setInt(1, aid);
    balance.executeQuery().close();
    update(teller, delta, tid);
    update(branch, delta, bid);
    history.setInt(1, tid);
    history.setInt(2, bid);
    history.setInt(3, aid);
    history.setInt(4, delta);
    history.executeUpdate();
    connection.commit();
  }

  private static void update(PreparedStatement statement, int delta, int id) throws SQLException {
    statement.setInt(1, delta);
    statement.setInt(2, id);
    statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
