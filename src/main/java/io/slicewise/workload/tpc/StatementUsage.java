package io.slicewise.workload.tpc;

import io.slicewise.base.units.Measure;
import java.sql.Connection;
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
 * sends to the client as a notice. Parallel workers are not in it.
 *
 * @param values by the name of the measure; a line that the server does not print is missing
 */
record StatementUsage(Map<String, Double> values) {
  private static final String TITLE = "QUERY STATISTICS";
  private static final String NUMBER = "([0-9.]+)";

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
   * Runs the only query once, on a new connection.
   *
   * @throws SQLException also if the server may not report
   */
  static StatementUsage of(Asked asked) throws SQLException {
    try (Connection connection = asked.connect()) {
      return of(connection, asked.queries().get(0));
    }
  }

  /** Runs a query and returns what the server reports about it. */
  static StatementUsage of(Connection connection, String query) throws SQLException {
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
                    value.getKey().matches("user|system|elapsed") ? "s" : "",
                    false,
                    value.getValue()))
        .toList();
  }
}
