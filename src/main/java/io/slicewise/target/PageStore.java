package io.slicewise.target;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * The three statements of a page view, each on a pooled connection that is held for that statement
 * alone. Throws {@link io.slicewise.units.SlicewiseException} with one sentence.
 */
final class PageStore implements AutoCloseable {
  private static final String SIGN_IN =
      "SELECT name FROM " + WebAppSchema.in("users") + " WHERE name = ? AND password_md5 = ?";
  private static final String LOG =
      "INSERT INTO " + WebAppSchema.in("log") + " (user_name, content_id) VALUES (?, ?)";
  private static final String CONTENT =
      "SELECT title, body FROM " + WebAppSchema.in("content") + " WHERE id = ?";

  private final Database database;
  private final HikariDataSource pool;

  PageStore(Database database, int connections) {
    this.database = database;
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password().reveal());
    config.setMaximumPoolSize(connections);
    config.setPoolName("web-app");
    this.pool = new HikariDataSource(config);
  }

  boolean knows(Credentials credentials) {
    return query(
        "checking the sign-in",
        SIGN_IN,
        statement -> {
          statement.setString(1, credentials.user());
          statement.setString(2, credentials.passwordMd5());
          try (ResultSet rows = statement.executeQuery()) {
            return rows.next();
          }
        });
  }

  void log(String user, int article) {
    query(
        "writing the log",
        LOG,
        statement -> {
          statement.setString(1, user);
          statement.setInt(2, article);
          return statement.executeUpdate();
        });
  }

  Optional<SampleData.Article> article(int id) {
    return query(
        "reading the content",
        CONTENT,
        statement -> {
          statement.setInt(1, id);
          try (ResultSet rows = statement.executeQuery()) {
            return rows.next()
                ? Optional.of(new SampleData.Article(id, rows.getString(1), rows.getString(2)))
                : Optional.empty();
          }
        });
  }

  private <T> T query(String doing, String sql, Query<T> query) {
    try (Connection connection = pool.getConnection();
        PreparedStatement statement = connection.prepareStatement(sql)) {
      return query.run(statement);
    } catch (SQLException fault) {
      throw DatabaseFault.of(database, doing, fault);
    }
  }

  @Override
  public void close() {
    pool.close();
  }

  private interface Query<T> {
    T run(PreparedStatement statement) throws SQLException;
  }
}
