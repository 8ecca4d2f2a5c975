package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.Workload;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * How many blocks of a schema's tables and indexes PostgreSQL read into its cache, and how many it
 * found there, from {@code pg_statio_user_tables}. A session's counts are complete when it has
 * ended.
 */
final class TouchedBlocks {
  private static final List<String> NAMES =
      List.of(Workload.BLOCKS_READ.get(0), "heap-hit", Workload.BLOCKS_READ.get(1), "index-hit");

  private static final String COUNTS =
      "SELECT coalesce(sum(heap_blks_read), 0), coalesce(sum(heap_blks_hit), 0),"
          + " coalesce(sum(idx_blks_read), 0), coalesce(sum(idx_blks_hit), 0)"
          + " FROM pg_statio_user_tables WHERE schemaname = ?";

  private static final String SESSIONS =
      "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
          + " AND starts_with(application_name, ?) AND pid <> pg_backend_pid()";

  private static final int LOOKS = 250;
  private static final long PAUSE_MILLIS = 20;

  private long[] before = {};

  void begin(Asked asked) {
    before = read(asked);
  }

  /** Returns the blocks by execution since the beginning; empty if they are not known. */
  List<Measure> measures(Asked asked, long executions) {
    long[] after = before.length == 0 || executions == 0 ? before : read(asked);
    return IntStream.range(0, executions == 0 ? 0 : Math.min(before.length, after.length))
        .mapToObj(
            at ->
                new Measure(
                    NAMES.get(at),
                    "blocks",
                    false,
                    (double) (after[at] - before[at]) / (double) executions))
        .toList();
  }

  private static long[] read(Asked asked) {
    try (Connection connection = asked.database().connect()) {
      for (int look = 0; look < LOOKS; look++) {
        if (numbers(connection, SESSIONS, asked.application())[0] == 0) {
          return numbers(connection, COUNTS, asked.schema());
        }
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      }
    } catch (SQLException | SlicewiseException notCounted) {
      return new long[0];
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
    return new long[0];
  }

  private static long[] numbers(Connection connection, String query, String of)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(query)) {
      statement.setString(1, of);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        long[] all = new long[row.getMetaData().getColumnCount()];
        for (int at = 0; at < all.length; at++) {
          all[at] = row.getLong(at + 1);
        }
        return all;
      }
    }
  }
}
