package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.Workload;
import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * How many blocks of a schema's tables and indexes PostgreSQL read into its cache, and how many it
 * found there, from {@code pg_statio_user_tables}; its calls and the time of its reads, from {@code
 * pg_stat_statements} where that is loaded. A session's counts are complete when it has ended.
 */
final class TouchedBlocks {
  private static final List<String> NAMES =
      List.of(
          Workload.BLOCKS_READ.get(0),
          "heap-hit",
          Workload.BLOCKS_READ.get(1),
          "index-hit",
          "calls",
          "read-time");

  private static final List<String> UNITS =
      List.of("blocks", "blocks", "blocks", "blocks", "", "ms");

  private static final String COUNTS =
      "SELECT coalesce(sum(heap_blks_read), 0), coalesce(sum(heap_blks_hit), 0),"
          + " coalesce(sum(idx_blks_read), 0), coalesce(sum(idx_blks_hit), 0)"
          + " FROM pg_statio_user_tables WHERE schemaname = ?";

  /** The queries of the role, without those about statistics; untimed without track_io_timing. */
  private static final String STATEMENTS =
      "SELECT coalesce(sum(calls), 0), CASE current_setting('track_io_timing') WHEN 'on' THEN"
          + " coalesce(sum(%s), 0) END FROM pg_stat_statements WHERE userid = current_user::regrole"
          + " AND dbid = (SELECT oid FROM pg_database WHERE datname = current_database())"
          + " AND query ~* '^\\s*(select|with)\\s' AND query NOT LIKE ?";

  private static final String OWN = "%pg\\_stat%";

  /** From this version on, other reads have a column of their own. */
  private static final int SHARED_READS = 17;

  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND starts_with(application_name, ?) AND pid <> pg_backend_pid()";

  private static final int LOOKS = 250;
  private static final long PAUSE_MILLIS = 20;

  private double[] before = {};

  void begin(Asked asked) {
    before = read(asked);
  }

  /** Returns what was counted by execution since the beginning; what is not known is missing. */
  List<Measure> measures(Asked asked, long executions) {
    double[] after = before.length == 0 || executions == 0 ? before : read(asked);
    return IntStream.range(0, executions == 0 ? 0 : Math.min(before.length, after.length))
        .filter(at -> after[at] >= before[at])
        .mapToObj(
            at ->
                new Measure(
                    NAMES.get(at), UNITS.get(at), false, (after[at] - before[at]) / executions))
        .toList();
  }

  /** Returns what a database cannot count, in sentences. */
  static List<String> remarks(Database database) {
    try (Connection connection = database.connect()) {
      return Double.isNaN(statements(connection)[0])
          ? List.of(
              "pg_stat_statements is not loaded in this database, so a trial has no measures"
                  + " 'calls' and 'read-time'")
          : List.of();
    } catch (SQLException | SlicewiseException notAsked) {
      return List.of();
    }
  }

  private static double[] read(Asked asked) {
    try (Connection connection = asked.database().connect()) {
      for (int look = 0; look < LOOKS; look++) {
        if (numbers(connection, SESSIONS, asked.application())[0] == 0) {
          return DoubleStream.concat(
                  Arrays.stream(numbers(connection, COUNTS, asked.schema())),
                  Arrays.stream(statements(connection)))
              .toArray();
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (SQLException | SlicewiseException notCounted) {
      return new double[0];
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return new double[0];
  }

  private static double[] statements(Connection connection) throws SQLException {
    boolean shared = connection.getMetaData().getDatabaseMajorVersion() >= SHARED_READS;
    String time = shared ? "shared_blk_read_time" : "blk_read_time";
    try {
      return numbers(connection, STATEMENTS.formatted(time), OWN);
    } catch (SQLException notLoaded) {
      return new double[] {Double.NaN, Double.NaN};
    }
  }

  /** Returns the numbers of a row; those that are null are not a number. */
  private static double[] numbers(Connection connection, String query, String of)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, of);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        double[] all = new double[row.getMetaData().getColumnCount()];
        for (int at = 0; at < all.length; at++) {
          double number = row.getDouble(at + 1);
          all[at] = row.wasNull() ? Double.NaN : number;
        }
        return all;
      }
    }
  }
}
