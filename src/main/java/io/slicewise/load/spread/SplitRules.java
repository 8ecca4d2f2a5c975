package io.slicewise.load.spread;

/**
 * What may differ between several generators and one.
 *
 * @param each whether each generator may have its own of what cannot be split
 * @param splitsData whether rows of data files are split
 */
public record SplitRules(boolean each, boolean splitsData) {
  /** A single generator splits nothing. */
  static final SplitRules ALONE = new SplitRules(true, false);
}
