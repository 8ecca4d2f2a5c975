package io.slicewise.workload.tpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;

/** A resource with SQL statements, none of which contains a semicolon. */
final class SqlScript {
  private SqlScript() {}

  static void run(Connection connection, String file) throws SQLException {
    for (String statement : text(file).strip().split(";\\s*", 0)) {
      MarkedSchema.execute(connection, statement);
    }
  }

  /**
   * Reads a text resource of this package.
   *
   * @throws IllegalStateException if it is missing: the build is broken
   */
  static String text(String file) {
    try (InputStream in = SqlScript.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing next to " + SqlScript.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
