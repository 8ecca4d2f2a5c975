package io.slicewise.workload.target;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sort of the 2007 study: a list of pseudo-random numbers, the same for the same seed, put in
 * order by exchanging neighbours. It only computes, and the guest only needs a POSIX shell and awk:
 * the program is one word of the command.
 *
 * <p>The numbers are those of Park and Miller's generator, <i>x ← 16807 x mod (2³¹ − 1)</i>
 * (Communications of the ACM 31, 1988), which every awk computes exactly in its double precision.
 *
 * @param length numbers in the list, 2..100,000
 * @param seed the generator's start, 1..2,147,483,646
 */
public record BubbleSort(int length, int seed) {
  public static final int LONGEST = 100_000;

  /** The marker in the guest's process list. */
  public static final String MARK = "slicewise-sort";

  /** The parameters are mark, length, seed and program; {@code times} is a shell builtin. */
  public static final String SCRIPT =
      "awk -v job=\"$0\" -v n=\"$1\" -v seed=\"$2\" \"$3\" || exit; times";

  /** One line, so that process lists stay readable. */
  public static final String PROGRAM =
      "BEGIN {"
          + " x = seed; for (i = 1; i <= n; i++) { x = (16807 * x) % 2147483647; a[i] = x }"
          + " for (i = n; i > 1; i--) for (j = 1; j < i; j++) if (a[j] > a[j + 1])"
          + " { t = a[j]; a[j] = a[j + 1]; a[j + 1] = t; swaps++ }"
          + " for (i = 1; i < n; i++) if (a[i] > a[i + 1]) exit 3;"
          + " printf \"%.0f %.0f %.0f %.0f\\n\", n, swaps, a[1], a[n] }";

  private static final long FACTOR = 16807;
  private static final long MODULUS = 2147483647;

  /**
   * The output of the program.
   *
   * @param swaps number of exchanges
   */
  public record Answer(int length, long swaps, long least, long greatest) {
    public String line() {
      return length + " " + swaps + " " + least + " " + greatest;
    }
  }

  public BubbleSort {
    if (length < 2 || length > LONGEST) {
      throw new IllegalArgumentException("length " + length + " is not in 2.." + LONGEST);
    }
    if (seed < 1 || seed >= MODULUS) {
      throw new IllegalArgumentException("seed " + seed + " is not in 1.." + (MODULUS - 1));
    }
  }

  /** The command, independent of the guest's locale: some shells print times with a comma. */
  public List<String> words() {
    return List.of(
        "env",
        "LC_ALL=C",
        "sh",
        "-c",
        SCRIPT,
        MARK,
        Integer.toString(length),
        Integer.toString(seed),
        PROGRAM);
  }

  /** The number of comparisons. */
  public long comparisons() {
    return (long) length * (length - 1) / 2;
  }

  /** Sorts in this process, in the same way. */
  public Answer sort() {
    long[] numbers = numbers();
    long swaps = 0;
    for (int end = length - 1; end > 0; end--) {
      for (int j = 0; j < end; j++) {
        if (numbers[j] > numbers[j + 1]) {
          long other = numbers[j];
          numbers[j] = numbers[j + 1];
          numbers[j + 1] = other;
          swaps++;
        }
      }
    }
    return new Answer(length, swaps, numbers[0], numbers[length - 1]);
  }

  /**
   * The expected output, computed differently: the number of exchanges equals the number of
   * inversions, which a merge sort counts.
   */
  public Answer expected() {
    long[] numbers = numbers();
    long inversions = Inversions.count(numbers);
    return new Answer(length, inversions, numbers[0], numbers[length - 1]);
  }

  /** The unsorted list. */
  long[] numbers() {
    long[] numbers = new long[length];
    long x = seed;
    for (int i = 0; i < length; i++) {
      x = FACTOR * x % MODULUS;
      numbers[i] = x;
    }
    return numbers;
  }

  /** Counts the pairs of a list that are in the wrong order, by merge sort. */
  private static final class Inversions {
    private Inversions() {}

    /** Sorts the list and returns the number of pairs that were in the wrong order. */
    static long count(long[] list) {
      return count(list, new long[list.length], 0, list.length);
    }

    private static long count(long[] list, long[] spare, int from, int to) {
      if (to - from < 2) {
        return 0;
      }
      int middle = (from + to) >>> 1;
      long count = count(list, spare, from, middle) + count(list, spare, middle, to);
      int left = from;
      int right = middle;
      for (int i = from; i < to; i++) {
        boolean fromLeft = right == to || (left < middle && list[left] <= list[right]);
        if (!fromLeft) {
          count += middle - left;
        }
        spare[i] = fromLeft ? list[left++] : list[right++];
      }
      System.arraycopy(spare, from, list, from, to - from);
      return count;
    }
  }

  /**
   * A guest's output for one {@link BubbleSort}: the program's line, and the two lines of the
   * shell's {@code times}, the second of which covers the shell's children.
   *
   * @param answer the program's line
   * @param user CPU time in user mode; some shells count ticks of 10 ms
   * @param system CPU time in the guest's kernel
   */
  public record SortReport(String answer, Duration user, Duration system) {
    private static final String TIME = "(\\d+)m(\\d+(?:\\.\\d+)?)s";
    private static final Pattern TIMES = Pattern.compile(TIME + "\\s+" + TIME);
    private static final int LINES = 3;

    /** Parses a report; empty if the text is not one. */
    public static Optional<SortReport> parse(String text) {
      List<String> lines = text.strip().lines().toList();
      if (lines.size() != LINES) {
        return Optional.empty();
      }
      Matcher times = TIMES.matcher(lines.get(2).strip());
      return times.matches()
          ? Optional.of(
              new SortReport(
                  lines.get(0),
                  duration(times.group(1), times.group(2)),
                  duration(times.group(3), times.group(4))))
          : Optional.empty();
    }

    private static Duration duration(String minutes, String seconds) {
      return Duration.ofMinutes(Long.parseLong(minutes))
          .plusNanos(Math.round(Double.parseDouble(seconds) * 1e9));
    }
  }
}
