package io.slicewise.load.jtl;

import io.slicewise.base.units.Percentile;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * Durations in whole milliseconds, counted by the millisecond. Percentiles are exact unless there
 * are more than {@value SlowTimes#MOST_VALUES} different values above {@link Times#EXACT_BELOW}:
 * those are then rounded to three significant digits. Mean, deviation, smallest and largest are
 * exact at any size. If a file has only the sum of some durations, mean and count are known and all
 * else is not.
 */
public final class Distribution {
  private final long[] cells;
  private final Optional<SlowTimes> slow;
  private final long quick;
  private final long summed;
  private final long sum;
  private final BigInteger squares;
  private final long smallest;
  private final long largest;

  /**
   * @param cells the number of durations for each millisecond
   * @param summed the number of other durations, of which only their sum is known
   */
  Distribution(long[] cells, Optional<SlowTimes> slow, long summed, long summedMillis) {
    this.slow = slow;
    this.summed = summed;
    long counted = 0;
    long total = 0;
    long ofSquares = 0;
    int least = cells.length;
    int most = 0;
    for (int millis = 0; millis < cells.length; millis++) {
      long count = cells[millis];
      if (count > 0) {
        counted += count;
        total += millis * count;
        // Fits in 63 bits up to 10^11 samples.
        ofSquares += millis * count * millis;
        least = Math.min(least, millis);
        most = millis;
      }
    }
    this.cells = Arrays.copyOf(cells, most + 1);
    quick = counted;
    sum = total + summedMillis + slow.map(SlowTimes::sum).orElse(0L);
    squares =
        BigInteger.valueOf(ofSquares).add(slow.map(SlowTimes::squares).orElse(BigInteger.ZERO));
    smallest = counted > 0 ? least : slow.map(SlowTimes::smallest).orElse(0L);
    largest = slow.map(SlowTimes::largest).orElse((long) most);
  }

  /** The number of samples. */
  public long count() {
    return quick + summed + slow.map(SlowTimes::count).orElse(0L);
  }

  /** Whether there is a duration, and each of them is known. */
  public boolean isKnown() {
    return summed == 0 && count() > 0;
  }

  /** The smallest, 0 without samples. */
  public long smallest() {
    return smallest;
  }

  /** The largest, 0 without samples. */
  public long largest() {
    return largest;
  }

  /** {@code NaN} without samples. */
  public double mean() {
    return count() == 0 ? Double.NaN : (double) sum / count();
  }

  /**
   * The sample standard deviation, of divisor n - 1; {@code NaN} below two samples. (n Σx² - (Σx)²)
   * ÷ (n (n - 1)) is computed in integers, so nothing cancels.
   */
  public double deviation() {
    BigInteger count = BigInteger.valueOf(count());
    if (count.compareTo(BigInteger.TWO) < 0 || !isKnown()) {
      return Double.NaN;
    }
    BigInteger spread = count.multiply(squares).subtract(BigInteger.valueOf(sum).pow(2));
    BigInteger divisor = count.multiply(count.subtract(BigInteger.ONE));
    return Math.sqrt(
        new BigDecimal(spread)
            .divide(new BigDecimal(divisor), MathContext.DECIMAL128)
            .doubleValue());
  }

  /**
   * The percentile by nearest rank.
   *
   * @param percentile above 0, at most 100
   */
  public long percentile(double percentile) {
    long rank = new Percentile(percentile).rank(count());
    long left = rank;
    for (int millis = 0; millis < cells.length; millis++) {
      left -= cells[millis];
      if (left <= 0) {
        return millis;
      }
    }
    return slow.map(times -> times.atRank(rank - quick)).orElse(largest);
  }

  /** All durations in a histogram with three significant digits. */
  public Histogram histogram() {
    Histogram all = slow.map(SlowTimes::histogram).orElseGet(() -> new Histogram(SlowTimes.DIGITS));
    for (int millis = 0; millis < cells.length; millis++) {
      if (cells[millis] > 0) {
        all.recordValueWithCount(millis, cells[millis]);
      }
    }
    return all;
  }

  /** Whether the counts of all durations are equal, as far as durations are distinguished. */
  @Override
  public boolean equals(Object other) {
    return other instanceof Distribution distribution
        && sum == distribution.sum
        && squares.equals(distribution.squares)
        && Arrays.equals(cells, distribution.cells)
        && histogram().equals(distribution.histogram());
  }

  @Override
  public int hashCode() {
    return Objects.hash(sum, squares);
  }

  @Override
  public String toString() {
    return count() + " samples of " + smallest + " to " + largest + " ms";
  }
}
