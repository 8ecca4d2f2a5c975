package io.slicewise.observe;

import io.slicewise.base.units.Window;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Watches a trial's measured window: the hypervisor, a kernel, a generator. A new one is added to
 * the session's list of observers; summaries, tables and files need no change for it.
 */
public interface Observer {
  /** The folder of its raw logs in a trial's directory, such as {@code xenmon} or {@code proc}. */
  String source();

  /** How long before the window it must begin so that the window is covered. */
  default Duration leadTime() {
    return Duration.ZERO;
  }

  /**
   * Begins to watch.
   *
   * @param length how long it must watch at least, lead time included
   * @param logs an existing local directory for its raw logs
   */
  Watch begin(Duration length, Path logs);

  /** A watch under way; closing it ends it and removes what it left where it watched. */
  interface Watch extends AutoCloseable {
    /** Notes the end of the window; returns at once. */
    void end();

    /** Returns what was seen in the window, after {@link #end}; fetches and keeps the raw logs. */
    Observation finish(Window window);

    @Override
    void close();
  }
}
