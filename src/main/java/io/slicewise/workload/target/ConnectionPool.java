package io.slicewise.workload.target;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/**
 * Connections to a database, each borrowed for one statement. Throws {@link
 * io.slicewise.base.units.SlicewiseException} with one sentence.
 */
final class ConnectionPool implements AutoCloseable {
  private final Database database;
  private final HikariDataSource connections;

  /** Work on a statement. */
  @FunctionalInterface
  interface Use<T> {
    T with(PreparedStatement statement) throws SQLException;
  }

  ConnectionPool(String name, Database database, int size) {
    this.database = database;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password().reveal());
    config.setMaximumPoolSize(size);
    config.setPoolName(name);
    connections = new HikariDataSource(config);
  }

  /**
   * Runs one statement.
   *
   * @param doing the purpose, for messages
   */
  <T> T run(String doing, String sql, Use<T> use) {
    try (Connection connection = connections.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return use.with(statement);
    } catch (SQLException fault) {
      throw DatabaseFault.of(database, doing, fault);
    }
  }

  @Override
  public void close() {
    connections.close();
  }
}
