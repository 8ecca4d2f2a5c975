package io.slicewise.load.access;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The unit of a field with a time. */
enum Unit {
  SECONDS(6),
  MILLIS(3),
  MICROS(0),
  NANOS(-3),
  /** A date, or a number since 1970 whose size shows its unit. */
  STAMP(0),
  /** The same; a date without an offset is UTC. */
  UTC_STAMP(0);

  /** A duration as Go prints it: {@code 1m32.05s}, {@code 929.675µs}. */
  private static final Pattern WITH_UNITS =
      Pattern.compile(
          "(?:(?<h>[0-9]{1,4})h)?(?:(?<m>[0-9]{1,6})m(?!s))?"
              + "(?:(?<rest>[0-9.]+) ?(?<unit>s|ms|[u\u00b5\u03bc]s|ns))?");

  private static final long[] POWERS = {1, 10, 100, 1_000, 10_000, 100_000, 1_000_000};
  private static final int MOST_DIGITS = 18;
  private static final double ONE_MICRO = 1e6;

  private final int exponent;

  Unit(int exponent) {
    this.exponent = exponent;
  }

  static Unit named(String name) {
    return switch (name) {
      case "s" -> SECONDS;
      case "ms" -> MILLIS;
      case "us" -> MICROS;
      case "ns" -> NANOS;
      default -> throw new IllegalArgumentException("'" + name + "' is none of s, ms, us, ns");
    };
  }

  /** Returns a number that is not negative in microseconds, without loss; -1 if it is not one. */
  long micros(String text, int from, int to) {
    return switch (this) {
      case STAMP -> Stamps.micros(text, from, to, "");
      case UTC_STAMP -> Stamps.micros(text, from, to, "Z");
      default -> scaled(text, from, to, exponent);
    };
  }

  /** The same of a duration, whose own units count before this one. */
  long duration(String text, int from, int to) {
    if (to == from || !Character.isLetter(text.charAt(to - 1))) {
      return micros(text, from, to);
    }
    Matcher parts = WITH_UNITS.matcher(text).region(from, to);
    if (!parts.matches()) {
      return -1;
    }
    long whole = 3600 * number(parts.group("h")) + 60 * number(parts.group("m"));
    String rest = parts.group("rest");
    long micros =
        rest == null
            ? 0
            : named(parts.group("unit").replaceFirst("[\u00b5\u03bc]", "u"))
                .micros(rest, 0, rest.length());
    return micros < 0 ? -1 : 1_000_000 * whole + micros;
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }

  /** Returns the number times a power of ten. */
  static long scaled(String text, int from, int to, int exponent) {
    long value = 0;
    int digits = 0;
    int fraction = -1;
    for (int i = from; i < to; i++) {
      char c = text.charAt(i);
      if (c == '.' && fraction < 0) {
        fraction = 0;
      } else if (c >= '0' && c <= '9') {
        if (digits < MOST_DIGITS) {
          value = 10 * value + (c - '0');
          digits += value > 0 ? 1 : 0;
          fraction += fraction >= 0 ? 1 : 0;
        } else if (fraction < 0) {
          return -1;
        }
      } else {
        return (c == 'e' || c == 'E') && i > from ? exponential(text, from, to, exponent) : -1;
      }
    }
    if (to - from <= (fraction >= 0 ? 1 : 0)) {
      return -1;
    }
    return shifted(value, exponent - Math.max(0, fraction));
  }

  private static long shifted(long value, int exponent) {
    if (exponent >= 0) {
      long power = POWERS[exponent];
      return value > Long.MAX_VALUE / power ? -1 : value * power;
    }
    long rest = value;
    int left = -exponent;
    while (left > 1) {
      rest /= 10;
      left--;
    }
    return (rest + 5) / 10;
  }

  /** Go prints very small and very large numbers like this. */
  private static long exponential(String text, int from, int to, int exponent) {
    try {
      double value = Double.parseDouble(text.substring(from, to)) * Math.pow(10, exponent);
      return value >= 0 && value < Long.MAX_VALUE / ONE_MICRO ? Math.round(value) : -1;
    } catch (NumberFormatException none) {
      return -1;
    }
  }
}
