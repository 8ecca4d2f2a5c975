package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.Violation;
import io.slicewise.stats.PublishedInterval;
import io.slicewise.stats.StudentInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Derives the n of a printed interval, n = (z·s/half-width)², which reveals missing runs and
 * intervals computed over requests.
 */
final class StudyIntervals {
  private static final double CONFIDENCE = 0.95;
  private static final double NEAR = 0.02;

  /** From this number on, 1.96 and Student's t differ by less than 5 %. */
  private static final int MANY_RUNS = 30;

  /** A single interval may fit by chance. */
  private static final double MOST = 0.5;

  private StudyIntervals() {}

  static List<Violation> findings(StudyTable table) {
    List<Violation> findings = new ArrayList<>();
    List<Row> rates =
        StudyRules.rows(table, "throughput").stream().filter(Row::hasInterval).toList();
    int runs = usual(rates);
    for (Row rate : rates) {
      if (Math.round(n(rate)) != runs) {
        findings.add(
            TableRule.RUN_MISSING.broken(
                rate.place(),
                Phrase.of(
                    "%s: the interval +-%s was computed with n = %.2f, the other cells with %d",
                    rate.cell(), plain(rate.halfWidth()), n(rate), runs),
                "a run failed or was omitted without notice"));
      }
    }
    for (Row time : StudyRules.rows(table, "response_time")) {
      // Without intervals of rates the number of runs is unknown.
      if (runs > 0 && time.hasInterval() && n(time) > 2.0 * runs) {
        findings.add(wrongN(table, time, runs));
      }
    }
    normal(rates).ifPresent(findings::add);
    return findings;
  }

  /**
   * Finds intervals that match z = 1.96 with a whole number of runs but do not match Student's t:
   * with few runs they are too narrow. Reported once per table.
   */
  private static Optional<Violation> normal(List<Row> rates) {
    List<Row> narrow =
        rates.stream()
            .filter(rate -> Math.round(n(rate)) <= MANY_RUNS && fits(rate, false))
            .filter(rate -> !fits(rate, true))
            .toList();
    if (narrow.isEmpty() || narrow.size() < MOST * rates.size()) {
      return Optional.empty();
    }
    Row first = narrow.get(0);
    int runs = (int) Math.round(n(first));
    double student = first.deviation() * factor(runs, true);
    return Optional.of(
        TableRule.INTERVAL_Z.broken(
            first.place(),
            Phrase.of(
                "%d of %d intervals are 1.96 s / sqrt(n); %s: +-%s over %d runs, Student's t gives"
                    + " +-%.2f, %.2f times as wide",
                narrow.size(),
                rates.size(),
                first.cell(),
                plain(first.halfWidth()),
                runs,
                student,
                student / first.halfWidth()),
            "the deviation of a few runs was used as the true one: such intervals cover the true"
                + " mean less often than 95 %, with five runs 88 %"));
  }

  /** Whether some number of runs gives the printed interval, within the printed digits. */
  private static boolean fits(Row row, boolean student) {
    for (int n = 2; n <= MANY_RUNS; n++) {
      if (row.deviationSpan().times(factor(n, student)).meets(row.halfWidthSpan())) {
        return true;
      }
    }
    return false;
  }

  private static double factor(int n, boolean student) {
    return student
        ? StudentInterval.halfWidth(CONFIDENCE, 1, n)
        : PublishedInterval.halfWidth(CONFIDENCE, 1, n);
  }

  private static Violation wrongN(StudyTable table, Row time, int runs) {
    double n = n(time);
    boolean rate =
        StudyRules.sameCell(table, time, "throughput").stream()
            .anyMatch(row -> Math.abs(n / (ownRuns(row, runs) * row.mean()) - 1) < NEAR);
    return TableRule.INTERVAL_N.broken(
        time.place(),
        Phrase.of(
            "%s: the interval +-%s was computed with n = %.0f%s",
            time.cell(),
            plain(time.halfWidth()),
            n,
            rate ? ", the runs times requests per second" : ""),
        "requests were counted as repetitions"
            + (rate ? ", and a rate was used as their count: the interval is meaningless" : ""));
  }

  private static long ownRuns(Row rate, int runs) {
    return rate.hasInterval() ? Math.round(n(rate)) : runs;
  }

  /** The value of n implied by the printed numbers. */
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
