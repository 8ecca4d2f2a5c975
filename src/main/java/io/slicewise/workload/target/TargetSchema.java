package io.slicewise.workload.target;

/**
 * The tables of a sample application. Every method throws {@link
 * io.slicewise.base.units.SlicewiseException} with one sentence.
 */
public interface TargetSchema {
  /** Whether the schema exists, whoever created it. */
  boolean exists();

  /** Checks that it can be created and dropped, without changing anything. */
  void check();

  /** Drops the tables of an earlier set-up, then creates and fills them. */
  void create();

  /** Drops the schema if Slicewise created it. */
  void drop();
}
