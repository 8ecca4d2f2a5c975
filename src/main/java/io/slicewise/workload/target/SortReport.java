package io.slicewise.workload.target;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A guest's output for one {@link BubbleSort}: the program's line, and the two lines of the shell's
 * {@code times}, the second of which covers the shell's children.
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
