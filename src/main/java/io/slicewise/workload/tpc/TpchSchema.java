package io.slicewise.workload.tpc;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.workload.target.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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
}
