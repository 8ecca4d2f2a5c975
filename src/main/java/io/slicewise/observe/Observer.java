package io.slicewise.observe;

import io.slicewise.base.units.Window;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Observes the hypervisor, a kernel or a generator during a trial's measured window. A new observer
 * is added to the session's list; summaries, tables and files need no change.
 */
public interface Observer {
  /**
   * Returns the folder of its raw logs in a trial's directory, such as {@code xenmon} or {@code
   * proc}.
   */
  String source();

  /** Returns the time by which it must start before the window to cover it. */
  default Duration leadTime() {
    return Duration.ZERO;
  }

  /**
   * Starts observing.
   *
   * @param length minimum duration, including lead time
   * @param logs an existing local directory for the raw logs
   */
  Watch begin(Duration length, Path logs);

  /** A running observation; closing it ends it and removes its remote files. */
  interface Watch extends AutoCloseable {
    /** Asks for what is read at the end of the window; returns immediately. */
    void end();

    /**
     * Waits until that has been read. The load goes on meanwhile: counters that are read while it
     * ends would show idle time as the window's.
     *
     * @param longest after which it is read late
     */
    default void awaitEnd(Duration longest) {}

    /**
     * Returns the observations of the window, after {@link #end}, each of another topic; fetches
     * and keeps the raw logs.
     */
    List<Observation> finish(Window window);

    @Override
    void close();
  }
}
