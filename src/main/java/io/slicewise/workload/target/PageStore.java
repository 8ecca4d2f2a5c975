package io.slicewise.workload.target;

import java.sql.ResultSet;
import java.util.Optional;

/** The three statements of a page view. */
record PageStore(ConnectionPool pool) {
  private static final String SIGN_IN = Accounts.query(WebAppSchema.NAME);
  private static final String LOG =
      "INSERT INTO " + WebAppSchema.in("log") + " (user_name, content_id) VALUES (?, ?)";
  private static final String CONTENT =
      "SELECT title, body FROM " + WebAppSchema.in("content") + " WHERE id = ?";

  boolean accepts(Credentials credentials) {
    return pool.run("checking the sign-in", SIGN_IN, credentials::matches);
  }

  void log(String user, int article) {
    pool.run(
        "writing the log",
        LOG,
        statement -> {
          statement.setString(1, user);
          statement.setInt(2, article);
          return statement.executeUpdate();
        });
  }

  Optional<SampleData.Article> article(int id) {
    return pool.run(
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
}
