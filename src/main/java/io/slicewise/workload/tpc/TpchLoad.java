package io.slicewise.workload.tpc;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;

/** Creates TPC-H's tables and fills them with COPY, then adds keys, indexes and statistics. */
record TpchLoad(Connection connection, double scale) {
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
