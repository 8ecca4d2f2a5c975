package io.slicewise.workload.target;

/**
 * Creates a missing schema when an application starts and drops it when the application ends; an
 * existing one is used as it is and kept.
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
