package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.util.Set;

/** The table {@value #TABLE}, which marks a schema as created by Slicewise. */
public final class SchemaMark {
  /** The name of the table. */
  public static final String TABLE = "slicewise_mark";

  private SchemaMark() {}

  /**
   * Rejects a schema that Slicewise did not create or that contains other objects.
   *
   * @param marked whether the table exists
   * @param foreign names of other objects
   * @throws SlicewiseException with the reason
   */
  public static void check(Database database, String schema, boolean marked, Set<String> foreign) {
    if (!marked) {
      throw refusal(
          database, schema, "was not created by Slicewise (it has no table " + TABLE + ")");
    }
    if (!foreign.isEmpty()) {
      throw refusal(
          database,
          schema,
          "contains objects that Slicewise did not create: " + String.join(", ", foreign));
    }
  }

  private static SlicewiseException refusal(Database database, String schema, String why) {
    return new SlicewiseException(
        ErrorKind.NOT_READY,
        "schema " + schema + " in " + database.url() + " " + why + ", so it is not changed",
        "move its contents elsewhere, or use a separate database for the workload");
  }
}
