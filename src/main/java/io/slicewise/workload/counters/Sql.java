package io.slicewise.workload.counters;

import io.slicewise.base.units.HintedException;
import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Window;
import io.slicewise.base.yaml.Option;
import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Options;
import io.slicewise.workload.DatabaseOptions;
import io.slicewise.workload.Workload;
import io.slicewise.workload.WorkloadRequest;
import io.slicewise.workload.WorkloadType;
import io.slicewise.workload.target.Database;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The site's own users, as counters in a database show them: one query at both ends of a window, in
 * a transaction that only reads and is rolled back.
 */
public record Sql(Database database, String query, List<Growth> growths) implements Workload {
  /** The name of the workload. */
  public static final String NAME = "sql";

  private static final String QUERY = "query";

  /** The workload's keys. */
  public static final class Type extends WorkloadType {
    private static final OptionKind COLUMN =
        new OptionKind.Shaped("^[A-Za-z_][A-Za-z0-9_]*$", "must be the name of a column");

    public Type() {
      super(
          NAME,
          "The site's own users: adds nothing, and reads counters of a database at both ends.",
          "the guests that serve the site");
    }

    @Override
    public boolean live() {
      return true;
    }

    @Override
    public List<Option> options() {
      return Option.join(
          DatabaseOptions.options(true, "the database, as a JDBC address"),
          List.of(
              Option.needed(
                  QUERY,
                  ONE_SELECT,
                  "one SELECT with one row, whose columns are counters that only grow"),
              Growth.option(COLUMN, "the column", List.of())));
    }

    @Override
    public List<String> outcomes(Options options) {
      return Growth.names(options);
    }

    @Override
    public Workload make(WorkloadRequest request) {
      Options options = request.options();
      return new Sql(
          DatabaseOptions.needed(NAME, request),
          options.text(QUERY).orElseThrow(() -> WorkloadRequest.missing(NAME, "'query': a SELECT")),
          Growth.all(NAME, options));
    }
  }

  /** One statement that selects. */
  private static final OptionKind ONE_SELECT =
      new OptionKind.Parsed(
          OptionKind.ordered("type", "string", "pattern", "^\\s*([sS][eE]|[wW][iI])[^;]*;?\\s*$"),
          "SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()",
          Sql::select);

  private static final Pattern SELECT = Pattern.compile("(?is)\\s*(select|with)\\b[^;]*+;?\\s*");

  private static String select(String text) {
    if (!SELECT.matcher(text).matches()) {
      throw new IllegalArgumentException("must be one SELECT, without a semicolon inside");
    }
    return text.strip().replaceFirst(";$", "");
  }

  public Sql {
    growths = List.copyOf(growths);
  }

  @Override
  public Optional<Counters> counters() {
    return Optional.of(new Read(database, query, growths));
  }

  /**
   * One answer to the query.
   *
   * @param columns in lower case
   * @param nanos of {@link System#nanoTime}, half way between question and answer
   * @param bound by how much {@code nanos} may be off
   */
  private record Row(Map<String, BigDecimal> columns, long nanos, long bound) {}

  /** Either a row, or why there is none. */
  private record Asked(Optional<Row> row, String fault) {}

  /** The columns at both ends of a window. */
  private static final class Read implements Counters {
    private static final int PATIENCE_SECONDS = 10;
    private static final int SIGN_IN_SECONDS = 5;
    private static final Duration LOOK = Duration.ofSeconds(10);

    /** The part of a window by which the time of a reading may be off. */
    private static final double UNSURE = 0.02;

    private final Database database;
    private final String query;
    private final List<Growth> growths;
    private Optional<Connection> open = Optional.empty();
    private Asked atBegin = new Asked(Optional.empty(), "it was not read at its begin");

    Read(Database database, String query, List<Growth> growths) {
      this.database = database;
      this.query = query;
      this.growths = growths;
    }

    @Override
    public Optional<String> complaint() {
      Asked asked = ask();
      return asked
          .row()
          .map(row -> missing(row).map("the query has no column '%s' with a number"::formatted))
          .orElseGet(() -> Optional.of(asked.fault()));
    }

    private Optional<String> missing(Row row) {
      return growths.stream()
          .flatMap(Growth::counters)
          .filter(name -> !row.columns().containsKey(key(name)))
          .findFirst();
    }

    private static String key(String column) {
      return column.toLowerCase(Locale.ROOT);
    }

    @Override
    public void begin() {
      atBegin = ask();
    }

    @Override
    public Reading end() {
      Growths growths = between(atBegin, ask());
      atBegin = new Asked(Optional.empty(), "it was not read at its begin");
      return new Reading() {
        @Override
        public boolean isKnown() {
          return true;
        }

        @Override
        public Growths in(Window window) {
          return growths;
        }
      };
    }

    @Override
    public Growths look(Duration length) {
      Asked before = ask();
      try {
        TimeUnit.MILLISECONDS.sleep(
            length.compareTo(LOOK) < 0 ? length.toMillis() : LOOK.toMillis());
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
      }
      return between(before, ask());
    }

    private Growths between(Asked first, Asked last) {
      List<String> faults = new ArrayList<>();
      Stream.of(first, last)
          .map(Asked::fault)
          .filter(fault -> !fault.isEmpty())
          .distinct()
          .forEach(faults::add);
      if (first.row().isEmpty() || last.row().isEmpty()) {
        return new Growths(unknown(), faults, "");
      }
      Row from = first.row().get();
      Row to = last.row().get();
      double seconds = (to.nanos() - from.nanos()) / 1e9;
      double unsure = (from.bound() + to.bound()) / 1e9;
      if (unsure > UNSURE * seconds && growths.stream().anyMatch(one -> one.per().isEmpty())) {
        faults.add(
            Phrase.of(
                "the database answered in up to %.1f s, too slowly for a window of %.1f s",
                2 * unsure, seconds));
      }
      List<Measure> measures =
          growths.stream()
              .map(growth -> growth.measure(value(growth, from, to, seconds, faults)))
              .toList();
      return new Growths(measures, faults, from.columns() + "\n" + to.columns() + "\n");
    }

    private List<Measure> unknown() {
      return growths.stream().map(growth -> growth.measure(Double.NaN)).toList();
    }

    private static double value(
        Growth growth, Row from, Row to, double seconds, List<String> faults) {
      double grown = grown(growth.counter(), from, to, faults);
      if (growth.per().isEmpty()) {
        return grown / seconds;
      }
      String per = growth.per().get();
      return Growth.quotient(grown, grown(per, from, to, faults), "column " + per, faults);
    }

    private static double grown(String column, Row from, Row to, List<String> faults) {
      BigDecimal before = from.columns().get(key(column));
      BigDecimal after = to.columns().get(key(column));
      if (before == null || after == null) {
        faults.add("column %s has no number".formatted(column));
        return Double.NaN;
      }
      if (after.compareTo(before) < 0) {
        faults.add(
            "column %s was reset: it fell from %s to %s"
                .formatted(column, before.toPlainString(), after.toPlainString()));
        return Double.NaN;
      }
      return after.subtract(before).doubleValue();
    }

    private Asked ask() {
      try {
        return new Asked(Optional.of(row(connection())), "");
      } catch (SQLException fault) {
        close();
        return new Asked(Optional.empty(), database.fault("reading counters", fault).getMessage());
      } catch (HintedException fault) {
        return new Asked(Optional.empty(), fault.getMessage());
      }
    }

    private Connection connection() throws SQLException {
      if (open.isEmpty()) {
        Connection connection =
            database.connect(
                Map.of(
                    "loginTimeout", Integer.toString(SIGN_IN_SECONDS),
                    "connectTimeout", Integer.toString(SIGN_IN_SECONDS),
                    "socketTimeout", Integer.toString(2 * PATIENCE_SECONDS)));
        open = Optional.of(connection);
        connection.setReadOnly(true);
        connection.setAutoCommit(false);
      }
      return open.get();
    }

    private Row row(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.setQueryTimeout(PATIENCE_SECONDS);
        statement.setMaxRows(2);
        long asked = System.nanoTime();
        try (ResultSet rows = statement.executeQuery(query)) {
          long half = (System.nanoTime() - asked) / 2;
          if (!rows.next()) {
            throw new SQLException("the query has no row");
          }
          Row row = new Row(columns(rows), asked + half, half);
          if (rows.next()) {
            throw new SQLException("the query has more than one row: sum them up");
          }
          return row;
        }
      } finally {
        connection.rollback();
      }
    }

    private static Map<String, BigDecimal> columns(ResultSet row) throws SQLException {
      ResultSetMetaData about = row.getMetaData();
      Map<String, BigDecimal> columns = new LinkedHashMap<>();
      for (int i = 1; i <= about.getColumnCount(); i++) {
        if (row.getObject(i) instanceof Number) {
          columns.put(key(about.getColumnLabel(i)), row.getBigDecimal(i));
        }
      }
      return columns;
    }

    @Override
    public void close() {
      Optional<Connection> last = open;
      open = Optional.empty();
      try {
        if (last.isPresent()) {
          last.get().close();
        }
      } catch (SQLException unclosed) {
        // The server notices by itself that the connection is gone.
        open = Optional.empty();
      }
    }
  }
}
