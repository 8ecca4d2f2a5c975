package io.slicewise.jtl;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Counts durations in whole milliseconds.
 *
 * <p>Nearly all response times lie below 8,192 ms; so those are one array cell a millisecond, and
 * their number, sum and squares are worked out of the cells at the end. Only the rest goes through
 * HdrHistogram and keeps its sums beside it, so that mean, deviation, smallest and largest are
 * exact at any size. Squares are summed in two halves of 32 bits: a day squared, a billion times,
 * does not fit in 64.
 */
final class Times {
  /**
   * Below this, every millisecond has a cell. A histogram of 3 significant digits tells them apart
   * up to 2,048 ms; the cells go on as far as requests are usual.
   */
  static final int EXACT_BELOW = 8192;

  /** A day; whoever waits longer is a damaged row. */
  static final int LONGEST = 86_400_000;

  private static final int FIRST_SIZE = 256;
  private static final int DIGITS = 3;

  private long[] cells = new long[FIRST_SIZE];

  /** Of those that no cell holds; {@code null} while there are none, as in most labels. */
  private Histogram slow;

  private long slowSum;
  private long slowSquaresLow;
  private long slowSquaresHigh;
  private int fastestSlow = Integer.MAX_VALUE;
  private int slowest;

  /**
   * @param millis 0 to {@link #LONGEST}
   */
  void record(int millis) {
    if (millis < cells.length) {
      cells[millis]++;
    } else {
      recordLarge(millis);
    }
  }

  private void recordLarge(int millis) {
    if (millis < EXACT_BELOW) {
      cells = Arrays.copyOf(cells, 2 * Integer.highestOneBit(millis));
      cells[millis]++;
      return;
    }
    if (slow == null) {
      slow = new Histogram(DIGITS);
    }
    slow.recordValue(millis);
    slowSum += millis;
    long square = (long) millis * millis;
    slowSquaresLow += square & 0xffff_ffffL;
    slowSquaresHigh += square >>> 32;
    fastestSlow = Math.min(fastestSlow, millis);
    slowest = Math.max(slowest, millis);
  }

  void add(Times other) {
    if (other.cells.length > cells.length) {
      cells = Arrays.copyOf(cells, other.cells.length);
    }
    for (int millis = 0; millis < other.cells.length; millis++) {
      cells[millis] += other.cells[millis];
    }
    if (other.slow != null && slow == null) {
      slow = other.slow.copy();
    } else if (other.slow != null) {
      slow.add(other.slow);
    }
    slowSum += other.slowSum;
    slowSquaresLow += other.slowSquaresLow;
    slowSquaresHigh += other.slowSquaresHigh;
    fastestSlow = Math.min(fastestSlow, other.fastestSlow);
    slowest = Math.max(slowest, other.slowest);
  }

  long count() {
    long count = slow == null ? 0 : slow.getTotalCount();
    for (long cell : cells) {
      count += cell;
    }
    return count;
  }

  /** The smallest, 0 without samples. */
  long smallest() {
    for (int millis = 0; millis < cells.length; millis++) {
      if (cells[millis] > 0) {
        return millis;
      }
    }
    return slowest == 0 ? 0 : fastestSlow;
  }

  /** The largest, 0 without samples. */
  long largest() {
    if (slowest > 0) {
      return slowest;
    }
    for (int millis = cells.length - 1; millis > 0; millis--) {
      if (cells[millis] > 0) {
        return millis;
      }
    }
    return 0;
  }

  /** {@code NaN} without samples. */
  double mean() {
    long count = count();
    return count == 0 ? Double.NaN : (double) sum() / count;
  }

  /**
   * The sample standard deviation, of divisor n - 1; {@code NaN} below two samples. (n Σx² - (Σx)²)
   * ÷ (n (n - 1)) is worked out in whole numbers, so nothing cancels.
   */
  double deviation() {
    BigInteger count = BigInteger.valueOf(count());
    if (count.compareTo(BigInteger.TWO) < 0) {
      return Double.NaN;
    }
    BigInteger spread = count.multiply(squares()).subtract(BigInteger.valueOf(sum()).pow(2));
    BigInteger divisor = count.multiply(count.subtract(BigInteger.ONE));
    return Math.sqrt(
        new BigDecimal(spread)
            .divide(new BigDecimal(divisor), MathContext.DECIMAL128)
            .doubleValue());
  }

  Histogram histogram() {
    Histogram all = slow == null ? new Histogram(DIGITS) : slow.copy();
    for (int millis = 0; millis < cells.length; millis++) {
      if (cells[millis] > 0) {
        all.recordValueWithCount(millis, cells[millis]);
      }
    }
    return all;
  }

  private long sum() {
    long sum = slowSum;
    for (int millis = 0; millis < cells.length; millis++) {
      sum += millis * cells[millis];
    }
    return sum;
  }

  /** Those of the cells fit in a long up to two million million samples. */
  private BigInteger squares() {
    long quick = 0;
    for (int millis = 0; millis < cells.length; millis++) {
      quick += cells[millis] * millis * millis;
    }
    return BigInteger.valueOf(slowSquaresHigh)
        .shiftLeft(32)
        .add(BigInteger.valueOf(slowSquaresLow))
        .add(BigInteger.valueOf(quick));
  }
}
