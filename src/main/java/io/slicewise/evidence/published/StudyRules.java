package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.math3.stat.StatUtils;

/** Checks a study of profiles and users against physics and for consistency. */
final class StudyRules {
  private StudyRules() {}

  /** Returns all violations, by rule and table order. */
  static List<Violation> findings(StudyTable table) {
    List<Violation> findings = new ArrayList<>();
    findings.addAll(StudyShares.findings(table));
    findings.addAll(StudyIdle.findings(table));
    findings.addAll(StudyMoves.findings(table));
    findings.addAll(StudyRates.findings(table));
    findings.addAll(StudyIntervals.findings(table));
    findings.sort(TableRule.ORDER);
    return findings;
  }

  /** The number of checks of each rule for single cells. */
  static Map<String, Integer> asked(StudyTable table) {
    Map<String, Integer> asked = new LinkedHashMap<>();
    asked.put(TableRule.SHARES.key(), rows(table, "run").size());
    List<Row> rates = rows(table, "throughput");
    asked.put(
        TableRule.LITTLES_LAW.key(),
        rates.stream().mapToInt(rate -> sameCell(table, rate, "response_time").size()).sum());
    asked.put(TableRule.RUN_MISSING.key(), (int) rates.stream().filter(Row::hasInterval).count());
    asked.put(
        TableRule.INTERVAL_N.key(),
        (int) rows(table, "response_time").stream().filter(Row::hasInterval).count());
    asked.put(
        TableRule.IDLE.key(),
        (int)
            rows(table, "run").stream()
                .filter(run -> !sameCell(table, run, "throughput").isEmpty())
                .count());
    asked.values().removeIf(times -> times == 0);
    return asked;
  }

  /** Rules that could not be checked, with the reason. */
  static List<PublishedTables.Skipped> skipped(StudyTable table) {
    List<PublishedTables.Skipped> skipped = new ArrayList<>();
    List<Row> rates = rows(table, "throughput");
    add(
        TableRule.LITTLES_LAW,
        rates.stream().filter(rate -> sameCell(table, rate, "response_time").isEmpty()).toList(),
        "no response_time is printed for the rate",
        skipped);
    add(
        TableRule.COLUMN,
        StudyRates.collapsed(table),
        "the rate's deviation exceeds half of its mean: the cell collapsed",
        skipped);
    boolean intervals = rates.stream().anyMatch(Row::hasInterval);
    add(
        TableRule.INTERVAL_N,
        intervals
            ? List.of()
            : rows(table, "response_time").stream().filter(Row::hasInterval).toList(),
        "no interval of a rate says how many runs there were",
        skipped);
    List<Row> incomplete = StudyMoves.incomplete(table);
    for (TableRule rule : List.of(TableRule.MOVED, TableRule.JUMP)) {
      add(
          rule,
          incomplete,
          "a domain's shares are not printed for every profile and load",
          skipped);
    }
    add(
        TableRule.IDLE,
        rows(table, "run").stream()
            .filter(run -> sameCell(table, run, "throughput").isEmpty())
            .toList(),
        "no throughput is printed for the cell",
        skipped);
    return skipped;
  }

  private static void add(
      TableRule rule, List<Row> rows, String reason, List<PublishedTables.Skipped> skipped) {
    if (!rows.isEmpty()) {
      skipped.add(
          new PublishedTables.Skipped(rule.key(), rows.size(), rows.get(0).place(), reason));
    }
  }

  static List<Row> rows(StudyTable table, String metric) {
    return table.rows().stream().filter(row -> row.metric().equals(metric)).toList();
  }

  /** The rows of a metric in the cell of another row. */
  static List<Row> sameCell(StudyTable table, Row row, String metric) {
    return rows(table, metric).stream()
        .filter(other -> other.profile().equals(row.profile()) && other.users() == row.users())
        .toList();
  }

  /**
   * Finds domains that were idle while a load was served. By fixed limits: a guest below 0.5 %; the
   * control domain, which handles every packet and block, below 3 %, and then guests below 1 %. By
   * the table itself: less than a quarter of the upper quartile of the domain's own cells, in time
   * and in time per request.
   */
  private static final class StudyIdle {
    /** The percentage of its time below which a guest does only housekeeping. */
    private static final double GUEST = 0.5;

    /** The same for a guest whose control domain was also idle. */
    private static final double IDLE_GUEST = 1;

    private static final double CONTROL = 3;
    private static final double QUARTER = 0.25;

    /** A quartile of fewer cells is meaningless. */
    private static final int FEWEST = 8;

    private StudyIdle() {}

    static List<Violation> findings(StudyTable table) {
      List<Violation> findings = new ArrayList<>();
      for (Row run : StudyRules.rows(table, "run")) {
        rate(table, run).flatMap(rate -> finding(table, run, rate)).ifPresent(findings::add);
      }
      return findings;
    }

    private static Optional<Row> rate(StudyTable table, Row run) {
      return StudyRules.sameCell(table, run, "throughput").stream()
          .filter(rate -> rate.mean() > 0)
          .findFirst();
    }

    private static Optional<Violation> finding(StudyTable table, Row run, Row rate) {
      boolean control = run.vm().equals(StudyShares.CONTROL_DOMAIN);
      if (!control && run.mean() < GUEST) {
        return Optional.of(
            TableRule.IDLE.broken(run.place(), message(run, rate, "limit 0.5 %"), cause()));
      }
      if (control && run.mean() < CONTROL) {
        return Optional.of(doubted(run, rate, "limit 3 % for the control domain"));
      }
      if (!control && run.mean() < IDLE_GUEST && controlIdles(table, run)) {
        return Optional.of(doubted(run, rate, "limit 1 % if the control domain is also idle"));
      }
      double usual = quartile(table, run, false);
      boolean little =
          run.mean() < QUARTER * usual
              && run.mean() / rate.mean() < QUARTER * quartile(table, run, true);
      return little
          ? Optional.of(
              doubted(
                  run,
                  rate,
                  Phrase.of(
                      "less than a quarter of %.1f %%, the upper quartile of its cells", usual)))
          : Optional.empty();
    }

    private static boolean controlIdles(StudyTable table, Row run) {
      return StudyRules.sameCell(table, run, "run").stream()
          .anyMatch(one -> one.vm().equals(StudyShares.CONTROL_DOMAIN) && one.mean() < CONTROL);
    }

    /** Upper quartile of a domain's shares, or of its shares per request; NaN for too few. */
    private static double quartile(StudyTable table, Row run, boolean perRequest) {
      double[] shares =
          StudyRules.rows(table, "run").stream()
              .filter(one -> one.vm().equals(run.vm()))
              .flatMapToDouble(
                  one ->
                      rate(table, one).stream()
                          .mapToDouble(rate -> one.mean() / (perRequest ? rate.mean() : 1)))
              .toArray();
      return shares.length < FEWEST ? Double.NaN : StatUtils.percentile(shares, 75);
    }

    private static Violation doubted(Row run, Row rate, String rule) {
      return TableRule.IDLE.doubted(run.place(), message(run, rate, rule), cause());
    }

    private static String message(Row run, Row rate, String rule) {
      return Phrase.of(
          "%s, %s: ran %.2f %% of the time while %.2f requests/s were served (%s)",
          run.cell(), run.vm(), run.mean(), rate.mean(), rule);
    }

    private static String cause() {
      return "the numbers are those of an idle domain: another domain's log, or a log without load";
    }
  }
}
