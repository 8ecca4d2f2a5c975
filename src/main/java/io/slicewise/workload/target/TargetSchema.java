package io.slicewise.workload.target;

/**
 * The tables of a sample application. Every method throws {@link
 * io.slicewise.base.units.SlicewiseException} with one sentence.
 */
public interface TargetSchema {
  /** Whether the schema is there, whoever made it. */
  boolean exists();

  /** Why it could not be made or dropped, without changing anything; else does nothing. */
  void check();

  /** Drops what an earlier set-up left, then makes the tables anew, filled. */
  void create();

  /** Drops the schema if it is there and made here. */
  void drop();
}
