package io.slicewise.load.spread;

/**
 * What may differ between several generators and one, and where their samples stay.
 *
 * @param each whether each generator may have its own of what cannot be split
 * @param splitsData whether rows of data files are split
 * @param samplesStay whether samples stay on the generators, which count them, however few they are
 */
public record SplitRules(boolean each, boolean splitsData, boolean samplesStay) {
  /** A single generator splits nothing. */
  static final SplitRules ALONE = new SplitRules(true, false);

  /** Rules under which samples are fetched unless they are too many. */
  public SplitRules(boolean each, boolean splitsData) {
    this(each, splitsData, false);
  }

  /** Returns the rules for a number of generators. */
  SplitRules among(int generators) {
    return generators == 1 ? new SplitRules(ALONE.each, ALONE.splitsData, samplesStay) : this;
  }
}
