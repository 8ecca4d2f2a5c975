package io.slicewise.load.generator;

/** A plan under way. */
public interface RunningLoad extends AutoCloseable {
  /** The newest progress, at most about a second old. Never blocks. */
  LoadProgress progress();

  /** Whether users may still be at work: false once the plan or the generator's JVM has ended. */
  boolean isAlive();

  /** Marks the measured window's start for the generator's own health counters. */
  void beginWindow();

  /**
   * Ends the load: asks, interrupts, then kills, within bounded time (12 s at most, usually one
   * response time); the samples are complete up to the call. Returns each generator's samples and
   * its health from {@link #beginWindow} to this call, so call it at the window's end. Samples that
   * end later than the window are in the file too, interrupted ones as failed.
   *
   * @throws io.slicewise.base.units.SlicewiseException if the generator had ended by itself
   */
  FinishedLoad stop();

  /** Ends the process at once if it still runs. */
  @Override
  void close();
}
