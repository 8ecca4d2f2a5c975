package io.slicewise.base.units;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and prints durations: a number and its unit, {@code 20ms}, {@code 4000us}, {@code 30s},
 * {@code 30m}, {@code 1h}. A number without a unit is rejected, because Xen's own tools disagree
 * about the unit.
 */
public final class DurationText {
  /** A regular expression for valid text, for schemas. */
  public static final String PATTERN = "^[0-9]+(\\.[0-9]+)?(us|ms|s|m|h)$";

  private static final Pattern TEXT = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(us|ms|s|m|h)");
  private static final Map<String, Long> NANOS = nanos();

  private DurationText() {}

  private static Map<String, Long> nanos() {
    Map<String, Long> units = new LinkedHashMap<>();
    units.put("h", 3_600_000_000_000L);
    units.put("m", 60_000_000_000L);
    units.put("s", 1_000_000_000L);
    units.put("ms", 1_000_000L);
    units.put("us", 1_000L);
    return units;
  }

  /**
   * Parses a duration, exact to the nanosecond.
   *
   * @throws IllegalArgumentException with the rule as its message: no unit, finer than a
   *     nanosecond, or longer than 292 years
   */
  public static Duration parse(String text) {
    Matcher matcher = TEXT.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("needs a unit, as in 4000us, 20ms, 30s, 30m or 1h");
    }
    BigDecimal nanos =
        new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(NANOS.get(matcher.group(2))));
    try {
      return Duration.ofNanos(nanos.longValueExact());
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException("is finer than 1 ns or longer than 292 years", e);
    }
  }

  /** The duration in microseconds, or in nanoseconds if it is finer: {@code 2500us}. */
  public static String micros(Duration duration) {
    long nanos = duration.toNanos();
    return nanos % 1_000 == 0 ? nanos / 1_000 + "us" : nanos + "ns";
  }

  /** Returns the duration in the largest unit that gives a whole number. */
  public static String of(Duration duration) {
    long nanos = duration.toNanos();
    if (nanos == 0) {
      return "0s";
    }
    return NANOS.entrySet().stream()
        .filter(unit -> nanos % unit.getValue() == 0)
        .findFirst()
        .map(unit -> nanos / unit.getValue() + unit.getKey())
        .orElseGet(() -> BigDecimal.valueOf(nanos, 3).stripTrailingZeros().toPlainString() + "us");
  }
}
