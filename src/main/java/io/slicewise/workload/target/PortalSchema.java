package io.slicewise.workload.target;

import io.slicewise.workload.target.SampleData.Accounts;
import java.util.List;

/**
 * The portal's tables in their own schema, which is never changed unless Slicewise created it and
 * it contains nothing else. A document is a blob in the database, as in the product that it
 * represents.
 */
public final class PortalSchema {
  public static final String NAME = "slicewise_portal";

  private PortalSchema() {}

  public static TargetSchema of(Database database) {
    return new TargetSchema(
        database, NAME, tables(database), connection -> Accounts.fill(connection, NAME));
  }

  private static List<TargetSchema.Table> tables(Database database) {
    return List.of(
        Accounts.TABLE,
        new TargetSchema.Table(
            "lists",
            "number BIGINT NOT NULL PRIMARY KEY, title VARCHAR(100) NOT NULL, owner VARCHAR(40) NOT"
                + " NULL"),
        new TargetSchema.Table(
            "documents",
            ("list BIGINT NOT NULL, name VARCHAR(100) NOT NULL, owner VARCHAR(40) NOT NULL,"
                    + " content %s NOT NULL, PRIMARY KEY (list, name)")
                .formatted(database.blob())));
  }

  static String in(String table) {
    return NAME + "." + table;
  }
}
