package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.postgresql.util.PSQLWarning;

/**
 * How a workload of queries measures: a window of time, or a fixed amount of work with caches in a
 * known state.
 *
 * @param passes how often a stream repeats its queries; 0: until the window's end
 * @param within the longest time of the work; empty for a window of time
 * @param state {@code warm}, {@code cold}, or empty for as they are
 * @param statements whether PostgreSQL reports its own use of a statement
 */
record WorkOptions(
    long passes, Optional<Duration> within, String state, boolean statements, ColdStart cold) {
  static final String KEEP = "keep-data";

  private static final String PASSES = "passes";
  private static final String MEASURE = "measure";
  private static final String WORK = "work";
  private static final String WITHIN = "within";
  private static final String STATE = "state";
  private static final String WARM = "warm";
  private static final String COLD = "cold";
  private static final String INSTRUMENT = "instrument";
  private static final Duration USUAL = Duration.ofMinutes(10);
  private static final long MOST_PASSES = 1_000_000;

  static final List<Option> OPTIONS =
      List.of(
          Option.withDefault(
              PASSES,
              new OptionKind.Whole(0, MOST_PASSES),
              0L,
              "how often a stream repeats them; 0: until the window's end"),
          Option.optional(
              MEASURE,
              new OptionKind.Word(List.of(WORK)),
              "work: a trial is its passes, from the first request to the last answer; default:"
                  + " the experiment's window"),
          Option.optional(
              WITHIN,
              Quantity.Time.from(Duration.ofSeconds(1)),
              "the longest time of measured work; default: 10m"),
          Option.optional(
              STATE,
              new OptionKind.Word(List.of(WARM, COLD)),
              "the caches of measured work, which is checked. warm: every query runs once before;"
                  + " cold: the commands of 'cold' run before, and there is one execution"),
          Option.optional(
              INSTRUMENT,
              new OptionKind.Word(List.of("statements")),
              "statements: after measured work, each query runs again while PostgreSQL reports its"
                  + " own use; needs a superuser, or GRANT SET ON PARAMETER"),
          Option.optional(
              COLD,
              new OptionKind.Many(new OptionKind.Group(ColdStart.OPTIONS), 1, 20),
              "commands that empty the caches before each trial; default: none"));

  /** Returns the option that keeps the data between trials. */
  static Option keep(String about) {
    return Option.withDefault(KEEP, new OptionKind.Flag(), false, about);
  }

  /** Returns the longest time of a fixed amount of work; empty for a window of time. */
  static Optional<Duration> work(Options options) {
    return options.text(MEASURE).map(work -> options.has(WITHIN) ? options.time(WITHIN) : USUAL);
  }

  /**
   * Reads the options.
   *
   * @param queries that one trial runs
   * @throws SlicewiseException if they contradict each other
   */
  static WorkOptions of(String workload, Options options, int queries) {
    WorkOptions read =
        new WorkOptions(
            options.whole(PASSES),
            work(options),
            options.text(STATE).orElse(""),
            options.has(INSTRUMENT),
            ColdStart.of(options.groups(COLD)));
    read.contradiction(queries, options.has(WITHIN))
        .ifPresent(
            why -> {
              throw SlicewiseException.input(
                  "workload %s: %s".formatted(workload, why.getKey()), why.getValue());
            });
    return read;
  }

  private Optional<Map.Entry<String, String>> contradiction(int queries, boolean bounded) {
    if (within.isEmpty() && (!state.isEmpty() || statements || bounded)) {
      return fault(
          "'state', 'instrument' and 'within' need a fixed amount of work", "add 'measure: work'");
    }
    if (within.isPresent() && passes == 0) {
      return fault(
          "'measure: work' needs 'passes', which say how much work it is",
          "use at least 5, and as many as take 10 seconds; cold: 1");
    }
    if (state.equals(COLD) && (passes != 1 || queries != 1 || cold.steps().isEmpty())) {
      return fault(
          "'state: cold' needs 'cold', 'passes: 1' and one query a trial",
          "with more, only the first execution would be cold; use 'each: query'");
    }
    if (state.equals(WARM) && !cold.steps().isEmpty()) {
      return fault("'state: warm' and 'cold' contradict each other", "remove one of them");
    }
    return statements && queries != 1
        ? fault("'instrument' needs one query a trial", "use 'each: query'")
        : Optional.empty();
  }

  private static Optional<Map.Entry<String, String>> fault(String what, String hint) {
    return Optional.of(Map.entry(what, hint));
  }

  boolean isWork() {
    return within.isPresent();
  }

  /** The properties of a plan: its passes, and that it ends with the last instead of resting. */
  Map<String, String> properties() {
    String count = Long.toString(passes);
    return isWork() ? Map.of(PASSES, count, "after", "end") : Map.of(PASSES, count);
  }

  /**
   * Brings the caches into their state, and begins to count.
   *
   * @throws SlicewiseException if a command fails, or the server's own cache is not empty although
   *     it should be
   */
  void prepare(Asked asked, TouchedBlocks counts) {
    coldStart(asked.database());
    if (state.equals(WARM)) {
      asked.run();
    }
    if (isWork()) {
      counts.begin(asked);
    }
  }

  private void coldStart(Database database) {
    if (!state.equals(COLD)) {
      cold.run(database);
      return;
    }
    Instant before = Asked.started(database);
    cold.run(database);
    if (!Asked.started(database).isAfter(before)) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "'cold' did not restart PostgreSQL, so its own cache is as full as before",
          "stop it with the first command and start it with the last");
    }
  }

  /**
   * Returns what PostgreSQL counted for the work, and reports for further executions; what it does
   * not show is missing.
   *
   * @param kept whether the stream's queries share a connection
   */
  List<Measure> measures(Asked asked, TouchedBlocks counts, long executions, boolean kept) {
    if (!isWork()) {
      return List.of();
    }
    List<Measure> all = new ArrayList<>(counts.measures(asked, executions));
    if (statements) {
      try {
        coldStart(asked.database());
        all.addAll(StatementUsage.of(asked, kept ? passes : 1).measures());
      } catch (SlicewiseException | SQLException notShown) {
        // The measured work stays as it is.
        return all;
      }
    }
    return all;
  }

  /**
   * What one statement used by PostgreSQL's own {@code getrusage}, which {@code
   * log_statement_stats} sends to the client as a notice, and how long it waited for a CPU by the
   * kernel's account of its process, if the role may read that. Parallel workers are not in it.
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

    private static StatementUsage reported(Connection connection, String query)
        throws SQLException {
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
}
