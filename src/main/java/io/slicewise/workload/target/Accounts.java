package io.slicewise.workload.target;

import io.slicewise.workload.target.Sessions.Credentials;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** The table of users: five, as in the 2010 study. */
final class Accounts {
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
