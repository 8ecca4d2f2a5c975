package io.slicewise.workload.target;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Looks into a test's database, past the application. */
public final class Rows {
  private Rows() {}

  /** The first column of a query's first row, as a number. */
  public static long count(Database database, String query) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** The first column of all rows, as texts. */
  public static List<String> texts(Database database, String query) {
    List<String> texts = new ArrayList<>();
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
      return texts;
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
  }

  /** Runs one statement. */
  public static void execute(Database database, String sql) {
    try (Connection connection = database.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException fault) {
      throw new IllegalStateException(fault);
    }
  }
}
