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

  /** {@code 19 h 32 m}, {@code 4 m 30 s}, {@code 2.5 s}. */
  public static String spaced(Duration duration) {
    if (duration.toHours() > 0) {
      return Phrase.of("%d h %d m", duration.toHours(), duration.toMinutesPart());
    }
    if (duration.toMinutes() > 0) {
      return "%s m%s"
          .formatted(
              duration.toMinutes(),
              duration.toSecondsPart() > 0 ? " " + duration.toSecondsPart() + " s" : "");
    }
    String seconds = Phrase.of("%.1f s", duration.toMillis() / 1e3);
    return seconds.replace(".0 s", " s");
  }

  /** {@code 1:42}, {@code 6 h 57 m}: a time that runs. */
  public static String clock(Duration duration) {
    long total = duration.toSeconds();
    return total < 3600
        ? Phrase.of("%d:%02d", total / 60, total % 60)
        : Phrase.of("%d h %02d m", total / 3600, total % 3600 / 60);
  }

  /** {@code 2.4 h}, {@code 12 min}, {@code 30 s}: an estimate in seconds. */
  public static String rough(double seconds) {
    return seconds >= 5400
        ? Phrase.of("%.1f h", seconds / 3600)
        : seconds >= 90 ? Phrase.of("%.0f min", seconds / 60) : Phrase.of("%.0f s", seconds);
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
