package io.slicewise.observe;

/**
 * A measured value.
 *
 * @param name as in files; underscores are printed as spaces
 * @param unit such as {@code B/s}; {@link #SHARE} for 0..1, printed as percent; empty for a pure
 *     number
 * @param value {@code NaN} if unknown
 */
public record Reading(String name, String unit, double value) {
  /** The unit of a share, 0..1. */
  public static final String SHARE = "share";

  public static Reading share(String name, double value) {
    return new Reading(name, SHARE, value);
  }
}
