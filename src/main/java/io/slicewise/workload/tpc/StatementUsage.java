package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLWarning;

/**
 * What one statement used by PostgreSQL's own {@code getrusage}, which {@code log_statement_stats}
 * sends to the client as a notice, and how long it waited for a CPU by the kernel's account of its
 * process, if the role may read that. Parallel workers are not in it.
 *
 * @param values by the name of the measure; a line that the server does not print is missing
 */
record StatementUsage(Map<String, Double> values) {
  private static final String TITLE = "QUERY STATISTICS";
  private static final String NUMBER = "([0-9.]+)";
  private static final String CPU_WAIT = "cpu-wait";
  private static final double NANOS = 1e9;

  /** A line of the notice with the measures of its numbers, in their order. */
  private record Line(Pattern pattern, List<String> names) {
    static Line of(String pattern, String... names) {
      return new Line(Pattern.compile("!\\s*" + pattern.replace("N", NUMBER)), List.of(names));
    }
  }

  private static final List<Line> LINES =
      List.of(
          Line.of("N s user, N s system, N s elapsed", "user", "system", "elapsed"),
          Line.of("N/N \\[.*\\] filesystem blocks in/out", "blocks-in", "blocks-out"),
          Line.of("N/N \\[.*\\] page faults/reclaims", "major-faults", "minor-faults"),
          Line.of("N/N \\[.*\\] voluntary/involuntary", "switches", "preemptions"));

  StatementUsage {
    values = Map.copyOf(values);
  }

  /** Parses the detail of a notice. */
  static StatementUsage parse(String detail) {
    Map<String, Double> values = new TreeMap<>();
    for (Line line : LINES) {
      Matcher found = line.pattern.matcher(detail);
      if (found.find()) {
        for (int at = 0; at < line.names.size(); at++) {
          values.put(line.names.get(at), Double.parseDouble(found.group(at + 1)));
        }
      }
    }
    return new StatementUsage(values);
  }

  /**
   * Runs the only query on a new connection, which first touches the server's buffers, and if the
   * connection is kept once more; returns the mean of as many executions.
   *
   * @param executions on one connection of the measured work
   * @throws SQLException also if the server may not report
   */
  static StatementUsage of(Asked asked, long executions) throws SQLException {
    try (Connection connection = asked.connect()) {
      StatementUsage first = of(connection, asked.queries().get(0));
      return executions > 1
          ? first.mean(of(connection, asked.queries().get(0)), executions)
          : first;
    }
  }

  /** Returns the mean of this execution and of others that were all like the next. */
  private StatementUsage mean(StatementUsage next, long executions) {
    Map<String, Double> means = new TreeMap<>(values);
    means.keySet().retainAll(next.values.keySet());
    means.replaceAll(
        (name, first) -> (first + (executions - 1) * next.values.get(name)) / executions);
    return new StatementUsage(means);
  }

  /** Runs a query and returns what the server reports about it. */
  static StatementUsage of(Connection connection, String query) throws SQLException {
    double waited = waited(connection);
    Map<String, Double> values = new TreeMap<>(reported(connection, query).values);
    values.put(CPU_WAIT, (waited(connection) - waited) / NANOS);
    values.values().removeIf(value -> value.isNaN());
    return new StatementUsage(values);
  }

  /**
   * Returns the nanoseconds for which the connection's process was ready and had no CPU; {@code
   * NaN} if its kernel does not count them, or the role may not read files of the server.
   */
  private static double waited(Connection connection) {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT split_part(pg_read_file('/proc/self/schedstat'), ' ', 2)")) {
      row.next();
      return row.getDouble(1);
    } catch (SQLException notShown) {
      return Double.NaN;
    }
  }

  private static StatementUsage reported(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET client_min_messages = log");
      statement.execute("SET log_statement_stats = on");
      statement.execute(query);
      for (SQLWarning notice = statement.getWarnings();
          notice != null;
          notice = notice.getNextWarning()) {
        Optional<String> detail = detail(notice);
        if (detail.isPresent()) {
          return parse(detail.get());
        }
      }
      throw new SQLException("the server sent no notice of the kind " + TITLE);
    }
  }

  private static Optional<String> detail(SQLWarning notice) {
    return notice instanceof PSQLWarning own
            && TITLE.equals(own.getServerErrorMessage().getMessage())
        ? Optional.ofNullable(own.getServerErrorMessage().getDetail())
        : Optional.empty();
  }

  /** Returns measures such as {@code statement-user}. */
  List<Measure> measures() {
    return values.entrySet().stream()
        .map(
            value ->
                new Measure(
                    "statement-" + value.getKey(),
                    value.getKey().matches("user|system|elapsed|cpu-wait") ? "s" : "",
                    false,
                    value.getValue()))
        .toList();
  }
}
