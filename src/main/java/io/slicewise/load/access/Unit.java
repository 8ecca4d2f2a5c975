package io.slicewise.load.access;

/** The unit of a field with a time. */
enum Unit {
  SECONDS(6),
  MILLIS(3),
  MICROS(0),
  NANOS(-3),
  /** A date, or a number since 1970 whose size shows its unit. */
  STAMP(0);

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
    return this == STAMP ? Stamps.micros(text, from, to) : scaled(text, from, to, exponent);
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
