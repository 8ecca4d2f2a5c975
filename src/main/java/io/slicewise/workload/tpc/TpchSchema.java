package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import io.slicewise.workload.tpc.TpchTable.CopyLine;
import io.slicewise.workload.tpc.TpchTable.TpchText;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** TPC-H's tables at one scale factor in their own schema. */
final class TpchSchema {
  static final String NAME = "slicewise_tpch";

  private final MarkedSchema schema;
  private final double scale;

  TpchSchema(Database database, double scale) {
    this.scale = scale;
    schema = new MarkedSchema(database, NAME, Set.copyOf(TpchTable.NAMES));
  }

  /** Loads the tables unless Slicewise has already created them at this scale factor. */
  boolean createUnlessThere() {
    if (schema.content().filter(content()::equals).isPresent()) {
      return false;
    }
    create();
    return true;
  }

  /** Loads the tables anew. */
  void create() {
    schema.create(
        content(),
        connection -> {
          new TpchLoad(connection, scale).run();
          return true;
        });
  }

  /**
   * Checks an existing schema, without changing anything.
   *
   * @throws SlicewiseException if Slicewise did not create it, or the database does not answer
   */
  void check() {
    schema.content();
  }

  void drop() {
    schema.drop();
  }

  private String content() {
    return "tpch at scale factor " + scale;
  }

  /** Returns the server's answers to the queries. */
  Map<String, QueryAnswer> answers(Map<String, String> queries) {
    return schema.use(
        "checking the answers to TPC-H's queries",
        connection -> {
          Map<String, QueryAnswer> answers = new TreeMap<>();
          for (Map.Entry<String, String> query : queries.entrySet()) {
            answers.put(query.getKey(), answer(connection, query.getValue()));
          }
          return answers;
        });
  }

  private static QueryAnswer answer(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      return QueryAnswer.of(rows);
    }
  }

  /**
   * Compares the server's answers with the correct ones.
   *
   * @throws SlicewiseException with the queries that are answered wrongly
   */
  void checkAnswers(Map<String, String> queries, Map<String, QueryAnswer> right) {
    Map<String, QueryAnswer> given = answers(queries);
    String wrong =
        given.entrySet().stream()
            .filter(answer -> !answer.getValue().equals(right.get(answer.getKey())))
            .map(
                answer ->
                    "%s gives %s rows instead of %s, or others"
                        .formatted(
                            answer.getKey(),
                            answer.getValue().rows(),
                            right.get(answer.getKey()).rows()))
            .collect(Collectors.joining("; "));
    if (!wrong.isEmpty()) {
      throw new SlicewiseException(
          ErrorKind.NOT_READY,
          "TPC-H at scale factor " + scale + " is answered wrongly: " + wrong,
          "the server, or your own plan, does not compute what the specification requires");
    }
  }

  /** Creates TPC-H's tables and fills them with COPY, then adds keys, indexes and statistics. */
  private record TpchLoad(Connection connection, double scale) {
    private static final int CHUNK_CHARS = 64 * 1024;

    /** Runs inside the transaction that created the schema, so that COPY may freeze the rows. */
    void run() throws SQLException {
      SqlScript.run(connection, "tpch-tables.sql");
      TpchText text = TpchText.make();
      for (String table : TpchTable.NAMES) {
        copy(TpchTable.named(table), text);
      }
      SqlScript.run(connection, "tpch-keys.sql");
    }

    private void copy(TpchTable<?> table, TpchText text) throws SQLException {
      CopyIn copy =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyIn(
                  "COPY %s FROM STDIN WITH (FORMAT text, FREEZE true, DELIMITER '%s')"
                      .formatted(table.name(), CopyLine.DELIMITER));
      try {
        StringBuilder chunk = new StringBuilder(CHUNK_CHARS + 1024);
        table.each(
            scale,
            text,
            line -> {
              chunk.append(line);
              if (chunk.length() >= CHUNK_CHARS) {
                send(copy, chunk);
              }
            });
        send(copy, chunk);
        copy.endCopy();
      } catch (CopyFailed failed) {
        throw failed.fault;
      } finally {
        if (copy.isActive()) {
          copy.cancelCopy();
        }
      }
    }

    private static void send(CopyIn copy, StringBuilder chunk) {
      try {
        byte[] bytes = chunk.toString().getBytes(StandardCharsets.US_ASCII);
        copy.writeToCopy(bytes, 0, bytes.length);
        chunk.setLength(0);
      } catch (SQLException fault) {
        throw new CopyFailed(fault);
      }
    }

    /** Carries the server's error out of the row generator. */
    private static final class CopyFailed extends RuntimeException {
      private static final long serialVersionUID = 1L;
      private final transient SQLException fault;

      CopyFailed(SQLException fault) {
        super(fault);
        this.fault = fault;
      }
    }
  }
}
