package io.slicewise.workload.counters;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Window;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Counters that something else keeps, by which the windows of a study are judged. */
public interface Counters extends AutoCloseable {
  /** Returns why no window can be read, in a clause; empty if windows can. Waits for answers. */
  Optional<String> complaint();

  /** Notes that a window begins. A source that cannot be read then voids the window. */
  void begin();

  /** Notes that the window ends that began last. */
  Reading end();

  /** Returns what a window of that length shows which was over before now, or ends soon. */
  Growths look(Duration length);

  /** Closes the connection; it is opened again if it is needed. */
  @Override
  void close();

  /** The counters of a window that is over. */
  interface Reading {
    /** Returns whether everything about it is known, so that nothing waits any more. */
    boolean isKnown();

    /** Returns by how much they grew in it. */
    Growths in(Window window);
  }

  /**
   * By how much counters grew in a window.
   *
   * @param faults why they do not count, in clauses
   * @param raw what was read, line by line
   */
  record Growths(List<Measure> measures, List<String> faults, String raw) {
    public Growths {
      measures = List.copyOf(measures);
      faults = List.copyOf(faults);
    }
  }
}
