package io.slicewise.experiment;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.experiment.load.Load;

/**
 * One session: one start of workload, generator and monitor at one load.
 *
 * @param number counted per load over the run, from 1
 */
public record SessionKey(@JsonUnwrapped Load load, int number) {
  /** Returns the short form for directory names: {@code s1-u25}. */
  public String mark() {
    return "s" + number + "-" + load.mark();
  }

  /** Returns {@code session 1 at 25 users}; without users if nothing is loaded. */
  public String text() {
    return "session " + number + load.at();
  }
}
