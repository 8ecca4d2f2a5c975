package io.slicewise.load;

import io.slicewise.units.Window;

/** A plan under way. */
public interface RunningLoad extends AutoCloseable {
  /** The newest progress, at most about a second old. Never blocks. */
  LoadProgress progress();

  /** Whether the generator still runs. */
  boolean isAlive();

  /** Marks the measured window's start for the generator's own health counters. */
  void beginWindow();

  /**
   * Ends the load: asks, interrupts, then kills, within bounded time; the samples are complete up
   * to the call. Returns the compressed samples' file and the generator's health in the window.
   */
  FinishedLoad stop(Window window);

  /** Ends the process at once if it still runs. */
  @Override
  void close();
}
