package io.slicewise.cli.plan;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.report.table.Spans;
import io.slicewise.report.table.TextColumns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What a study of pairs would need under the traffic of a log that the site already has.
 *
 * @param changes as shares, which {@code metrics} are about
 * @param pair the time that one takes at least
 */
public record TrafficPlan(
    String experiment,
    Log log,
    Windows windows,
    List<Double> changes,
    List<Needed> metrics,
    Duration pair) {
  public TrafficPlan {
    changes = List.copyOf(changes);
    metrics = List.copyOf(metrics);
  }

  /**
   * What was read.
   *
   * @param seconds from the first request to the last
   * @param example of a line that was not understood; empty if all were
   */
  public record Log(long requests, double seconds, long leftOut, long unread, String example) {}

  /**
   * The windows that a study would have had.
   *
   * @param counted of {@code all} of them; the others had too few requests or a pause
   */
  public record Windows(int all, int counted, Duration length, Duration washOut) {}

  /**
   * What one metric needs.
   *
   * @param pairs that have it
   * @param scatter deviation of the log ratio of a pair; {@code NaN} if too few pairs have it
   * @param needed pairs for each change; empty beyond what is searched, or if too few have it
   */
  public record Needed(
      String metric, boolean goal, int pairs, double scatter, List<OptionalInt> needed) {
    public Needed {
      needed = List.copyOf(needed);
    }
  }

  /** Returns the screen. */
  public List<String> lines(int width) {
    List<String> lines = new ArrayList<>();
    lines.add("PLAN    %s on a log   nothing has been asked or changed".formatted(experiment));
    lines.add(
        Phrase.of(
            "Log     %s in %s: %.1f/s; %d left out, %d lines not understood%s",
            Plural.of(log.requests(), "request"),
            Spans.text(Duration.ofMillis(Math.round(1000 * log.seconds()))),
            log.requests() / log.seconds(),
            log.leftOut(),
            log.unread(),
            log.example().isEmpty() ? "" : ", such as '%s'".formatted(log.example())));
    lines.add(
        "Windows %d of %d count, of %s each after a wash-out of %s"
            .formatted(
                windows.counted(),
                windows.all(),
                Spans.text(windows.length()),
                Spans.text(windows.washOut())));
    lines.add("");
    lines.addAll(
        TextColumns.lines(
            rows(), IntStream.range(0, 3 + changes.size()).mapToObj(i -> i == 0).toList(), width));
    lines.add("");
    lines.add(
        "pairs of each candidate after which half of all studies show a change; a pair takes %s"
            .formatted(Spans.text(pair)));
    return lines;
  }

  private List<List<String>> rows() {
    List<List<String>> rows = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("metric", "pairs here", "they scatter by"));
    changes.forEach(change -> head.add(Phrase.of("%.0f %%", 100 * change)));
    rows.add(head);
    for (Needed metric : metrics) {
      List<String> row =
          new ArrayList<>(
              List.of(
                  metric.metric() + (metric.goal() ? " (goal)" : ""),
                  Integer.toString(metric.pairs()),
                  Double.isNaN(metric.scatter())
                      ? "–"
                      : Phrase.of("%.1f %%", 100 * metric.scatter())));
      row.addAll(
          metric.needed().stream()
              .map(
                  pairs ->
                      Double.isNaN(metric.scatter())
                          ? "–"
                          : pairs.isPresent() ? Integer.toString(pairs.getAsInt()) : "> 500")
              .collect(Collectors.toList()));
      rows.add(row);
    }
    return rows;
  }
}
