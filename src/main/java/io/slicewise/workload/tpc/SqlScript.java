package io.slicewise.workload.tpc;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;

/** A file of SQL statements beside these classes; none of them holds a semicolon inside. */
final class SqlScript {
  private SqlScript() {}

  static void run(Connection connection, String file) throws SQLException {
    for (String statement : text(file).strip().split(";\\s*", 0)) {
      MarkedSchema.execute(connection, statement);
    }
  }

  /**
   * A text file beside these classes.
   *
   * @throws IllegalStateException if it is not there: the build is broken
   */
  static String text(String file) {
    try (InputStream in = SqlScript.class.getResourceAsStream(file)) {
      if (in == null) {
        throw new IllegalStateException(file + " is missing beside " + SqlScript.class.getName());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException fault) {
      throw new UncheckedIOException(fault);
    }
  }
}
