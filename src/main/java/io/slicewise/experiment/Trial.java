package io.slicewise.experiment;

import java.util.Locale;

/**
 * One profile × one user load × one repetition, at its place in the order.
 *
 * @param number 1-based place in the order
 * @param block 1-based; with {@code AS_WRITTEN} order it equals the repetition
 */
public record Trial(int number, int block, String profile, int users, int repetition) {
  /**
   * The name of its directory: {@code 0001-credit-256-u25-r1}. Profile names are safe file names.
   */
  public String slug() {
    return String.format(Locale.ROOT, "%04d-%s-u%d-r%d", number, profile, users, repetition);
  }
}
