package io.slicewise.load.jtl;

/**
 * Requests that begin before the previous one of their thread has ended. A JMeter thread makes one
 * after the other; these are of several generators with equal thread names, or timestamps are ends.
 *
 * @param requests which were examined; 0 if no role of a row depends on its thread
 */
public record Overlaps(long count, long requests) {
  static final Overlaps NONE = new Overlaps(0, 0);

  /** A clock that is set back makes each thread's requests overlap once. */
  private static final double SHARE_OF_A_CLOCK = 0.01;

  /** Whether they are too many for a clock that was set back. */
  boolean areMany() {
    return count > SHARE_OF_A_CLOCK * requests;
  }
}
