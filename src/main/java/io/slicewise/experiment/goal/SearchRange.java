package io.slicewise.experiment.goal;

import io.slicewise.base.units.DurationText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values of one parameter in a search: {@code 64..4096}, {@code 5ms..20ms}, one value, or
 * {@code none}. A set of pCPUs is a choice, not a range.
 *
 * @param low in the parameter's unit, or in milliseconds
 * @param high equal to {@code low} for a single value
 */
public record SearchRange(double low, double high) {
  /** The word for no limit, which schedulers represent as 0. */
  static final String NONE = "none";

  private static final String VALUE = "[0-9]+(\\.[0-9]+)?(us|ms|s)?";

  private static final String CPUS = "\\^?[0-9]+(-[0-9]+)?";
  private static final String SET = "all|" + CPUS + "(,[ ]?" + CPUS + ")*";

  /** The rule as a regular expression, for schemas. */
  public static final String PATTERN = "^(%s|%s(\\.\\.%s)?|%s)$".formatted(NONE, VALUE, VALUE, SET);

  private static final Pattern TEXT =
      Pattern.compile("(?<low>" + VALUE + ")(\\.\\.(?<high>" + VALUE + "))?");

  /**
   * Parses a range.
   *
   * @throws IllegalArgumentException with the rule as its message
   */
  public static SearchRange parse(String text) {
    if (text.equals(NONE)) {
      return new SearchRange(0, 0);
    }
    Matcher parts = TEXT.matcher(text);
    if (!parts.matches()) {
      throw new IllegalArgumentException(
          "is not a range such as 64..4096 or 5ms..20ms, one value, or " + NONE);
    }
    double low = number(parts.group("low"));
    double high = parts.group("high") == null ? low : number(parts.group("high"));
    if (low > high) {
      throw new IllegalArgumentException("begins above its end");
    }
    return new SearchRange(low, high);
  }

  /** Returns whether a text names a set of pCPUs, as in {@code 0-1,3}. */
  public static boolean isSet(String text) {
    return text.matches(SET);
  }

  private static double number(String text) {
    if (!Character.isLetter(text.charAt(text.length() - 1))) {
      return Double.parseDouble(text);
    }
    Duration time = DurationText.parse(text);
    return time.toNanos() / 1e6;
  }

  /** Returns whether it is a single value. */
  public boolean isOne() {
    return low == high;
  }
}
