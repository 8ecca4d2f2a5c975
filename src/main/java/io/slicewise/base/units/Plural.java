package io.slicewise.base.units;

/** Counts things in English whose plural ends in s. */
public final class Plural {
  private Plural() {}

  /** Returns {@code 1 trial} or {@code 3 trials}. */
  public static String of(long number, String thing) {
    return number + " " + noun(number, thing);
  }

  /** Returns {@code trial} or {@code trials}. */
  public static String noun(long number, String thing) {
    return number == 1 ? thing : thing + "s";
  }
}
