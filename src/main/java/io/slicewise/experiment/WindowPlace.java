package io.slicewise.experiment;

import io.slicewise.base.units.Phrase;

/**
 * The position of a window in its session; all numbers count from 1.
 *
 * @param session counted per load over the run
 * @param block inside its session
 * @param position inside its block
 */
public record WindowPlace(int session, int block, int position) {
  public WindowPlace {
    if (session < 1 || block < 1 || position < 1) {
      throw new IllegalArgumentException(
          "session %d, block %d and position %d are counted from 1"
              .formatted(session, block, position));
    }
  }

  /** Returns the place for file names: {@code s1-b03-w02}. */
  public String mark() {
    return Phrase.of("s%d-b%02d-w%02d", session, block, position);
  }
}
