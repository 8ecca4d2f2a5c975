package io.slicewise.workload.target;

import io.slicewise.workload.target.Sessions.Credentials;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The contents of the sample application: five users and ten articles of about 4 KB each, the same
 * at every set-up.
 */
final class SampleData {
  static final int ARTICLES = 10;
  private static final int USERS = 5;
  private static final int PARAGRAPHS = 8;
  private static final int WORDS = 102;
  private static final List<String> VOCABULARY =
      List.of(
          "guest", "domain", "weight", "slice", "period", "server", "page", "query", "row",
          "packet", "waits", "runs", "blocks", "wakes", "yields", "every", "another", "quiet",
          "busy", "short", "long", "after", "before", "while", "the", "a", "of", "and");

  /** One row of {@code content}. */
  record Article(int id, String title, String body) {}

  private SampleData() {}

  /** {@code user1} to {@code user5} with the passwords {@code password1} to {@code password5}. */
  static List<Credentials> users() {
    return IntStream.rangeClosed(1, USERS)
        .mapToObj(number -> Credentials.of("user" + number, "password" + number))
        .toList();
  }

  static List<Article> articles() {
    return IntStream.rangeClosed(1, ARTICLES)
        .mapToObj(id -> new Article(id, "Article " + id, body(new Random(id))))
        .toList();
  }

  private static String body(Random random) {
    return IntStream.range(0, PARAGRAPHS)
        .mapToObj(
            paragraph ->
                random
                    .ints(WORDS, 0, VOCABULARY.size())
                    .mapToObj(VOCABULARY::get)
                    .collect(Collectors.joining(" ", "<p>", ".</p>\n")))
        .collect(Collectors.joining());
  }

  /** The table of users: five, as in the 2010 study. */
  static final class Accounts {
    static final TargetSchema.Table TABLE =
        new TargetSchema.Table(
            "users", "name VARCHAR(40) NOT NULL PRIMARY KEY, password_md5 CHAR(32) NOT NULL");

    private Accounts() {}

    /** The sign-in query; its parameters are the name and the MD5 hash. */
    static String query(String schema) {
      return "SELECT name FROM " + schema + ".users WHERE name = ? AND password_md5 = ?";
    }

    static void fill(Connection connection, String schema) throws SQLException {
      try (PreparedStatement user =
          connection.prepareStatement("INSERT INTO " + schema + ".users VALUES (?, ?)")) {
        for (Credentials credentials : SampleData.users()) {
          user.setString(1, credentials.user());
          user.setString(2, credentials.passwordMd5());
          user.addBatch();
        }
        user.executeBatch();
      }
    }
  }
}
