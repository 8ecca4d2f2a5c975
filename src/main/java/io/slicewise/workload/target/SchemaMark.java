package io.slicewise.workload.target;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import java.util.Set;

/** The table {@value #TABLE}, by which a schema says that it was made here. */
public final class SchemaMark {
  /** The table's name, the same in every schema. */
  public static final String TABLE = "slicewise_mark";

  private SchemaMark() {}

  /**
   * Refuses a schema that was not made here or is not ours alone.
   *
   * @param marked whether the table is there
   * @param foreign names of what else is there and was not made here
   * @throws SlicewiseException saying which of the two it is
   */
  public static void check(Database database, String schema, boolean marked, Set<String> foreign) {
    if (!marked) {
      throw refusal(database, schema, "was not made by Slicewise (it has no table " + TABLE + ")");
    }
    if (!foreign.isEmpty()) {
      throw refusal(
          database, schema, "holds what Slicewise did not make: " + String.join(", ", foreign));
    }
  }

  private static SlicewiseException refusal(Database database, String schema, String why) {
    return new SlicewiseException(
        ErrorKind.NOT_READY,
        "schema " + schema + " in " + database.url() + " " + why + ", so it is left alone",
        "move what is in it elsewhere, or give the workload a database of its own");
  }
}
