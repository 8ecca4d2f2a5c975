package io.slicewise.workload.tpc;

import io.slicewise.workload.target.Database;
import java.util.List;
import java.util.Set;

/**
 * A table whose rows lie in the order of their running number, which is indexed.
 *
 * @param rows their number
 */
record StrideTable(Database database, long rows) {
  static final String NAME = "slicewise_stride";

  private static final String TABLE = "relr";

  private static final List<String> CREATION =
      List.of(
          "CREATE TABLE relr (row_id bigint NOT NULL, filler char(200) NOT NULL)",
          "INSERT INTO relr SELECT n, md5(n::text) FROM generate_series(1, %d) AS n",
          "CREATE UNIQUE INDEX relr_row_id ON relr (row_id)",
          "ANALYZE relr");

  private MarkedSchema schema() {
    return new MarkedSchema(database, NAME, Set.of(TABLE));
  }

  private String content() {
    return "stride with %d rows".formatted(rows);
  }

  void create(boolean keep) {
    if (keep && schema().content().filter(content()::equals).isPresent()) {
      return;
    }
    schema()
        .create(
            content(),
            connection -> {
              for (String sql : CREATION) {
                MarkedSchema.execute(connection, sql.formatted(rows));
              }
              return true;
            });
  }

  void check() {
    schema().content();
  }

  void drop() {
    schema().drop();
  }

  /** The query that reads every {@code offset}-th row through the index, one after the other. */
  String query(long offset) {
    return ("SELECT count(filler) FROM generate_series(1, %d, %d) AS n"
            + " CROSS JOIN LATERAL (SELECT filler FROM relr WHERE row_id = n OFFSET 0) AS one")
        .formatted(rows, offset);
  }

  /** The number of rows that the query reads. */
  long touched(long offset) {
    return (rows + offset - 1) / offset;
  }
}
