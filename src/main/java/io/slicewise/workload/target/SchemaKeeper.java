package io.slicewise.workload.target;

/**
 * Makes a schema that is missing when an application starts, and drops what it made when the
 * application ends; one that was there already is used as it is and left in place.
 */
final class SchemaKeeper implements AutoCloseable {
  private final TargetSchema schema;
  private final boolean ours;

  SchemaKeeper(TargetSchema schema) {
    this.schema = schema;
    ours = !schema.exists();
    if (ours) {
      schema.create();
    }
  }

  @Override
  public void close() {
    if (ours) {
      schema.drop();
    }
  }
}
