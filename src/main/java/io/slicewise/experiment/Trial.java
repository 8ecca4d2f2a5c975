package io.slicewise.experiment;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.Locale;

/**
 * One profile × one load × one repetition, at its place in the order.
 *
 * @param number 1-based place in the order
 * @param block 1-based; with {@code AS_WRITTEN} order it equals the repetition
 * @param attempt 1-based; a trial that a rule excluded is tried again as the next attempt
 */
public record Trial(
    int number, int block, String profile, @JsonUnwrapped Load load, int repetition, int attempt) {
  public Trial {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts are counted from 1, not " + attempt);
    }
  }

  /** The first attempt. */
  public Trial(int number, int block, String profile, Load load, int repetition) {
    this(number, block, profile, load, repetition, 1);
  }

  /** The same trial's attempt of that number. */
  public Trial attempt(int which) {
    return new Trial(number, block, profile, load, repetition, which);
  }

  /** Its users; 0 when nothing is loaded. */
  public int users() {
    return load.users();
  }

  /**
   * The name of its directory: {@code 0001-credit-256-u25-r1} (beside two neighbours {@code
   * …-u25-i2-r1}), and {@code 0001-credit-256-u25-r1-try2} for its second attempt. Profile names
   * are safe file names.
   */
  public String slug() {
    String first =
        String.format(Locale.ROOT, "%04d-%s-%s-r%d", number, profile, load.mark(), repetition);
    return attempt == 1 ? first : first + "-try" + attempt;
  }
}
