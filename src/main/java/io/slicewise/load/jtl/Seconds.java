package io.slicewise.load.jtl;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import java.io.Serializable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Samples by the second in which they ended.
 *
 * <p>Seconds are in an open-addressing table: the ends of a run are nearly in order, so lookups
 * usually hit the current slot, and a file with scattered timestamps needs no more space than it
 * has seconds. Few response times of a second are listed; more are counted in cells of 1 ms up to
 * 127 ms and of less than 1/64 above, which takes about one kilobyte instead of HdrHistogram's
 * sixteen.
 */
final class Seconds implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final int FIRST_SIZE = 1024;

  /** Seconds without a sample that are reported, if they are most of the time. */
  private static final int PAUSE = 60;

  private final int most;
  private Second[] table = new Second[FIRST_SIZE];
  private int size;
  private boolean overflowed;

  /**
   * @param most maximum number of seconds; a longer series is dropped
   */
  Seconds(int most) {
    this.most = most;
  }

  void add(long second, int elapsed, boolean success, int threads) {
    Second found = at(second);
    if (found != null) {
      found.add(elapsed, success, threads);
    }
  }

  /** Adds a row that sums up several samples. */
  void addSum(long second, Row row) {
    Second found = at(second);
    if (found != null) {
      found.addSum(row);
    }
  }

  /** The counts of a second; {@code null} if there are too many seconds. */
  Second at(long second) {
    Second found = table[slot(second)];
    return found != null && found.number == second ? found : find(second);
  }

  /**
   * @param beside whether they are of another generator, whose threads come on top
   */
  void add(Seconds other, boolean beside) {
    for (Second theirs : other.table) {
      if (theirs != null) {
        Second ours = find(theirs.number);
        if (ours != null) {
          ours.add(theirs, beside);
        }
      }
    }
    overflowed |= other.overflowed;
  }

  /** Whether there were more seconds than are kept. */
  boolean overflowed() {
    return overflowed;
  }

  /** Returns a sentence if the time is mostly pauses, as in a file to which runs were appended. */
  Optional<String> pauses() {
    long[] ends =
        Arrays.stream(table)
            .filter(Objects::nonNull)
            .mapToLong(each -> each.number)
            .sorted()
            .toArray();
    int longest = 0;
    long paused = 0;
    int pauses = 0;
    for (int i = 1; i < ends.length; i++) {
      if (ends[i] - ends[i - 1] > PAUSE) {
        pauses++;
        paused += ends[i] - ends[i - 1];
        longest =
            longest == 0 || ends[i] - ends[i - 1] > ends[longest] - ends[longest - 1] ? i : longest;
      }
    }
    if (overflowed || pauses == 0 || 2 * paused < ends[ends.length - 1] - ends[0]) {
      return Optional.empty();
    }
    return Optional.of(
        Phrase.of(
            "no sample ended in %s of a minute or more, %.1f %% of the time, the longest"
                + " from %s to %s: the file may contain several runs, and rates are of all its"
                + " time; --from and --to select one",
            Plural.of(pauses, "pause"),
            100.0 * paused / (ends[ends.length - 1] - ends[0]),
            Instant.ofEpochSecond(ends[longest - 1]),
            Instant.ofEpochSecond(ends[longest])));
  }

  /** Every second from {@code first} on, including those without samples. */
  List<Reduction.Second> series(long first, int length) {
    List<Reduction.Second> series = new ArrayList<>(length);
    for (int second = 0; second < length; second++) {
      Second found = peek(first + second);
      series.add(
          found == null
              ? new Reduction.Second(second, 0, 0, Double.NaN, Double.NaN, Row.UNKNOWN)
              : found.summary(second));
    }
    return series;
  }

  private int slot(long second) {
    return (int) second & (table.length - 1);
  }

  private Second peek(long second) {
    int slot = slot(second);
    while (table[slot] != null && table[slot].number != second) {
      slot = (slot + 1) & (table.length - 1);
    }
    return table[slot];
  }

  private Second find(long second) {
    Second found = peek(second);
    if (found != null) {
      return found;
    }
    if (size == most) {
      overflowed = true;
      return null;
    }
    if (++size > table.length / 2) {
      grow();
    }
    Second fresh = new Second(second);
    put(fresh);
    return fresh;
  }

  private void grow() {
    Second[] old = table;
    table = new Second[old.length * 2];
    for (Second second : old) {
      if (second != null) {
        put(second);
      }
    }
  }

  private void put(Second second) {
    int slot = slot(second.number);
    while (table[slot] != null) {
      slot = (slot + 1) & (table.length - 1);
    }
    table[slot] = second;
  }

  /** One second's counts. */
  static final class Second implements Serializable {
    private static final long serialVersionUID = 1L;

    /** So many response times are listed. */
    static final int EXACT = 320;

    private static final int FIRST_CELLS = 320;
    private static final int FIRST_LISTED = 16;

    private final long number;
    private long samples;
    private long failed;
    private long sum;
    private int threads = Row.UNKNOWN;

    /** The response times, or their numbers once there are more than are listed. */
    private int[] cells = new int[FIRST_LISTED];

    private int listed;
    private boolean counted;

    /** Whether single response times are missing. */
    private boolean summed;

    Second(long number) {
      this.number = number;
    }

    void add(int elapsed, boolean success, int active) {
      samples++;
      failed += success ? 0 : 1;
      sum += elapsed;
      threads = Math.max(threads, active);
      count(new int[] {elapsed}, 0, 1);
    }

    void addSum(Row row) {
      samples += row.count;
      failed += row.failed();
      sum += row.elapsed;
      threads = Math.max(threads, row.threads);
      summed = true;
    }

    /** Adds successful rows. */
    void add(PlainRows rows, int from, int to) {
      int[] elapsed = rows.elapsed();
      int[] active = rows.threads();
      long total = sum;
      int most = threads;
      for (int row = from; row < to; row++) {
        total += elapsed[row];
        most = Math.max(most, active[row]);
      }
      count(elapsed, from, to);
      samples += to - from;
      sum = total;
      threads = most;
    }

    private void count(int[] elapsed, int from, int to) {
      int length = to - from;
      if (!counted && listed + length <= EXACT) {
        if (listed + length > cells.length) {
          cells = Arrays.copyOf(cells, Math.max(2 * cells.length, listed + length));
        }
        System.arraycopy(elapsed, from, cells, listed, length);
        listed += length;
        return;
      }
      countListed();
      for (int i = from; i < to; i++) {
        count(elapsed[i]);
      }
    }

    private void countListed() {
      if (!counted) {
        int[] list = cells;
        cells = new int[FIRST_CELLS];
        counted = true;
        for (int i = 0; i < listed; i++) {
          count(list[i]);
        }
      }
    }

    private void count(int elapsed) {
      int cell = cell(elapsed);
      if (cell >= cells.length) {
        cells = Arrays.copyOf(cells, Math.max(cells.length * 2, cell + 1));
      }
      cells[cell]++;
    }

    private void add(Second other, boolean beside) {
      samples += other.samples;
      failed += other.failed;
      summed |= other.summed;
      sum += other.sum;
      threads =
          beside && threads >= 0 && other.threads >= 0
              ? threads + other.threads
              : Math.max(threads, other.threads);
      if (!other.counted) {
        count(other.cells, 0, other.listed);
        return;
      }
      countListed();
      if (other.cells.length > cells.length) {
        cells = Arrays.copyOf(cells, other.cells.length);
      }
      for (int cell = 0; cell < other.cells.length; cell++) {
        cells[cell] += other.cells[cell];
      }
    }

    Reduction.Second summary(int second) {
      return new Reduction.Second(
          second,
          samples,
          failed,
          (double) sum / samples,
          summed ? Double.NaN : percentile(0.95),
          threads);
    }

    /** A percentile by nearest rank. */
    private double percentile(double share) {
      long rank = (long) Math.ceil(Math.nextDown(share) * samples);
      if (!counted) {
        int[] sorted = Arrays.copyOf(cells, listed);
        Arrays.sort(sorted);
        return sorted[(int) rank - 1];
      }
      int cell = 0;
      for (long below = cells[0]; below < rank; below += cells[cell]) {
        cell++;
      }
      return middle(cell);
    }

    /** The cell of a time: 64 cells per power of two; one per millisecond where that is finer. */
    static int cell(int millis) {
      int shift = Math.max(0, 25 - Integer.numberOfLeadingZeros(millis));
      return (shift << 6) + (millis >> shift);
    }

    static double middle(int cell) {
      int shift = Math.max(0, (cell >> 6) - 1);
      return ((long) (cell - (shift << 6)) << shift) + ((1L << shift) - 1) / 2.0;
    }
  }
}
