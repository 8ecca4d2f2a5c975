package io.slicewise.experiment.load;

import java.math.BigDecimal;
import java.util.Comparator;

/**
 * One value on an axis of load: a number, or the name of a part.
 *
 * @param number {@code NaN} for a name
 * @param text the number in decimal notation, or the name
 */
public record Level(double number, String text) implements Comparable<Level> {
  private static final Comparator<Level> ORDER =
      Comparator.comparingDouble(Level::number).thenComparing(Level::text);

  public static Level of(double number) {
    return new Level(number, BigDecimal.valueOf(number).stripTrailingZeros().toPlainString());
  }

  public static Level of(String name) {
    return new Level(Double.NaN, name);
  }

  /** Returns the number, as a whole number if it is one, or the name. */
  public Object value() {
    if (Double.isNaN(number)) {
      return text;
    }
    int whole = (int) number;
    if (whole == number) {
      return whole;
    }
    return number;
  }

  @Override
  public int compareTo(Level other) {
    return ORDER.compare(this, other);
  }
}
