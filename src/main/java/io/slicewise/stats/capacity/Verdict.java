package io.slicewise.stats.capacity;

/** Whether a number of guests fits. */
public enum Verdict {
  /** The whole interval of every tile is inside its limit. */
  FITS,
  /** The whole interval of a tile is beyond its limit. */
  BREAKS,
  /** Neither: an interval includes its limit, or a value is unknown. */
  UNDECIDED
}
