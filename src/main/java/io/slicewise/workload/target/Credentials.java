package io.slicewise.workload.target;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;

/**
 * A user and a password hash. MD5 is what the 2010 study's application used; it keeps the workload
 * the same and protects nothing.
 *
 * @param passwordMd5 32 lower-case hexadecimal digits
 */
record Credentials(String user, String passwordMd5) {
  static Credentials of(String user, String password) {
    try {
      byte[] digest =
          MessageDigest.getInstance("MD5").digest(password.getBytes(StandardCharsets.UTF_8));
      return new Credentials(user, HexFormat.of().formatHex(digest));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java platform has MD5", missing);
    }
  }

  /** Whether the sign-in query finds these credentials. */
  boolean matches(PreparedStatement signIn) throws SQLException {
    signIn.setString(1, user);
    signIn.setString(2, passwordMd5);
    try (ResultSet rows = signIn.executeQuery()) {
      return rows.next();
    }
  }
}
