package io.slicewise.lab.monitor;

import io.slicewise.base.units.Phrase;
import java.util.Arrays;

/** The number and durations of the periods spent in one state. Stores one number per period. */
final class StateTimes {
  private long[] cycles = new long[16];
  private int count;

  void add(long duration) {
    if (count == cycles.length) {
      cycles = Arrays.copyOf(cycles, 2 * count);
    }
    cycles[count++] = duration;
  }

  /**
   * Returns xenalyze's line with count, seconds, average cycles, 5th, 50th and 95th percentile, or
   * an empty text if the state never occurred.
   */
  String line(String name, double hertz) {
    if (count == 0) {
      return "";
    }
    long[] sorted = Arrays.copyOf(cycles, count);
    Arrays.sort(sorted);
    long total = Arrays.stream(sorted).sum();
    return Phrase.of(
        "%s: %7d %5.2fs %6d {%6d|%6d|%6d}\n",
        name,
        count,
        total / hertz,
        total / count,
        sorted[(int) (count * 0.05)],
        sorted[count / 2],
        sorted[(int) (count * 0.95)]);
  }
}
