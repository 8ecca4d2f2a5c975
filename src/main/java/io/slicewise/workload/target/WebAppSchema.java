package io.slicewise.workload.target;

import io.slicewise.workload.target.SampleData.Accounts;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/**
 * The web application's tables in their own schema, which is never changed unless Slicewise created
 * it and it contains nothing else.
 */
public final class WebAppSchema {
  public static final String NAME = "slicewise_web_app";

  private static final List<TargetSchema.Table> TABLES =
      List.of(
          Accounts.TABLE,
          new TargetSchema.Table(
              "content",
              "id INTEGER NOT NULL PRIMARY KEY, title VARCHAR(100) NOT NULL, body TEXT NOT NULL"),
          new TargetSchema.Table(
              "log",
              "at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL, user_name VARCHAR(40) NOT NULL,"
                  + " content_id INTEGER NOT NULL"));

  private WebAppSchema() {}

  public static TargetSchema of(Database database) {
    return new TargetSchema(database, NAME, TABLES, WebAppSchema::fill);
  }

  static String in(String table) {
    return NAME + "." + table;
  }

  private static void fill(Connection connection) throws SQLException {
    Accounts.fill(connection, NAME);
    try (PreparedStatement text =
        connection.prepareStatement("INSERT INTO " + in("content") + " VALUES (?, ?, ?)")) {
      for (SampleData.Article article : SampleData.articles()) {
        text.setInt(1, article.id());
        text.setString(2, article.title());
        text.setString(3, article.body());
        text.addBatch();
      }
      text.executeBatch();
    }
  }
}
