package io.slicewise.published;

import io.slicewise.published.StudyTable.Row;
import io.slicewise.stats.PublishedInterval;
import io.slicewise.validity.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a printed interval says about the number it was computed with: n = (z·s/half-width)². Runs
 * missing from a cell show so, and so do intervals that took requests for repetitions.
 */
final class StudyIntervals {
  private static final double CONFIDENCE = 0.95;
  private static final double NEAR = 0.02;

  private StudyIntervals() {}

  static List<Violation> findings(StudyTable table) {
    List<Violation> findings = new ArrayList<>();
    List<Row> rates =
        StudyRules.rows(table, "throughput").stream().filter(Row::hasInterval).toList();
    int runs = usual(rates);
    for (Row rate : rates) {
      if (Math.round(n(rate)) != runs) {
        findings.add(
            Rule.RUN_MISSING.broken(
                rate.place(),
                String.format(
                    Locale.ROOT,
                    "%s: the interval +-%s was computed with n = %.2f, the other cells with %d",
                    rate.cell(),
                    plain(rate.halfWidth()),
                    n(rate),
                    runs),
                "a run failed or was left out without a word"));
      }
    }
    for (Row time : StudyRules.rows(table, "response_time")) {
      // Without intervals of rates nobody can tell how many runs there were.
      if (runs > 0 && time.hasInterval() && n(time) > 2.0 * runs) {
        findings.add(wrongN(table, time, runs));
      }
    }
    return findings;
  }

  private static Violation wrongN(StudyTable table, Row time, int runs) {
    double n = n(time);
    boolean rate =
        StudyRules.sameCell(table, time, "throughput").stream()
            .anyMatch(row -> Math.abs(n / (ownRuns(row, runs) * row.mean()) - 1) < NEAR);
    return Rule.INTERVAL_N.broken(
        time.place(),
        String.format(
            Locale.ROOT,
            "%s: the interval +-%s was computed with n = %.0f%s",
            time.cell(),
            plain(time.halfWidth()),
            n,
            rate ? ", the runs times requests per second" : ""),
        "requests were taken for repetitions"
            + (rate ? ", and a rate for their count: it is an interval of nothing" : ""));
  }

  private static long ownRuns(Row rate, int runs) {
    return rate.hasInterval() ? Math.round(n(rate)) : runs;
  }

  /** What the printed numbers say n was. */
  private static double n(Row row) {
    double ratio = PublishedInterval.halfWidth(CONFIDENCE, row.deviation(), 1) / row.halfWidth();
    return ratio * ratio;
  }

  private static int usual(List<Row> rates) {
    Map<Integer, Integer> counts = new TreeMap<>();
    rates.forEach(rate -> counts.merge((int) Math.round(n(rate)), 1, Integer::sum));
    return counts.entrySet().stream()
        .max(Map.Entry.comparingByValue())
        .map(Map.Entry::getKey)
        .orElse(0);
  }

  private static String plain(double value) {
    return new java.math.BigDecimal(Double.toString(value)).toPlainString();
  }
}
