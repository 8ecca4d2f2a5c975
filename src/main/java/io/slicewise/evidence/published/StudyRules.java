package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyMoves.StudyShares;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.LittlesLaw;
import io.slicewise.run.validity.Violation;
import io.slicewise.stats.PublishedInterval;
import io.slicewise.stats.StudentInterval;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
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

  /** Checks a study's rates against its response times in a closed load. */
  private static final class StudyRates {
    private static final double LITTLE = 0.05;

    /** The maximum deviation of a cell from the median of its load. */
    private static final double OFF_COLUMN = 0.025;

    /** A rate with a larger coefficient of variation between runs has no steady state. */
    private static final double COLLAPSED = 0.5;

    /** Loads whose numbers of active users differ by less than this are one load. */
    private static final double SAME = 0.05;

    private static final String ADMITTED =
        "something limits the number of concurrent requests: the server's worker or connection limit,"
            + " or the generator's";

    private StudyRates() {}

    static List<Violation> findings(StudyTable table) {
      Map<Integer, List<Cell>> loads = new TreeMap<>();
      for (Row rate : StudyRules.rows(table, "throughput")) {
        for (Row time : StudyRules.sameCell(table, rate, "response_time")) {
          double ratio = LittlesLaw.ratio(rate.users(), rate.mean(), time.mean(), 0);
          loads
              .computeIfAbsent(rate.users(), users -> new ArrayList<>())
              .add(new Cell(time, rate, ratio));
        }
      }
      List<Violation> findings = new ArrayList<>();
      loads.values().forEach(cells -> addCells(cells, findings));
      addSameLoads(loads, findings);
      return findings;
    }

    /** Collapsed cells have no common rate and time, and are compared with no others. */
    private static void addCells(List<Cell> cells, List<Violation> findings) {
      List<Cell> steady = cells.stream().filter(cell -> !cell.collapsed()).toList();
      double typical = steady.isEmpty() ? Double.NaN : median(steady);
      for (Cell cell : cells) {
        if (Math.abs(cell.ratio - 1) > LITTLE) {
          findings.add(
              TableRule.LITTLES_LAW.broken(
                  cell.time.place(),
                  Phrase.of(
                      "%s: %.2f/s x %.2f ms = %.1f active users, %+.1f %%",
                      cell.time.cell(),
                      cell.rate.mean(),
                      cell.time.mean(),
                      cell.ratio * cell.time.users(),
                      100 * (cell.ratio - 1)),
                  LittlesLaw.cause(cell.ratio)));
        }
        if (steady.size() > 2
            && !cell.collapsed()
            && Math.abs(cell.ratio / typical - 1) > OFF_COLUMN) {
          findings.add(offColumn(cell, typical));
        }
      }
    }

    private static Violation offColumn(Cell cell, double typical) {
      return TableRule.COLUMN.broken(
          cell.time.place(),
          Phrase.of(
              "%s: rate x time / users = %.3f, the others' median is %.3f; %.0f ms would fit its"
                  + " rate",
              cell.time.cell(), cell.ratio, typical, cell.time.mean() * typical / cell.ratio),
          "rate and response time come from different sets of runs");
    }

    /** The rates of collapsed cells, which {@code column} cannot compare. */
    static List<Row> collapsed(StudyTable table) {
      return StudyRules.rows(table, "throughput").stream()
          .filter(rate -> !StudyRules.sameCell(table, rate, "response_time").isEmpty())
          .filter(StudyRates::collapsed)
          .toList();
    }

    private static boolean collapsed(Row rate) {
      return rate.deviation() > COLLAPSED * rate.mean();
    }

    /** The cells whose runs differ too much to compare with others; empty if there are none. */
    private static String collapsed(List<Cell> cells) {
      List<String> names =
          cells.stream()
              .filter(Cell::collapsed)
              .map(
                  cell ->
                      Phrase.of(
                          "%s (CV %.0f %%)",
                          cell.rate.profile(), 100 * cell.rate.deviation() / cell.rate.mean()))
              .toList();
      return names.isEmpty() ? "" : "; collapsed at this load: " + String.join(", ", names);
    }

    private static void addSameLoads(Map<Integer, List<Cell>> loads, List<Violation> findings) {
      int previous = 0;
      for (int users : loads.keySet()) {
        if (previous > 0) {
          double atWork = median(loads.get(users)) * users;
          double before = median(loads.get(previous)) * previous;
          if (Math.abs(atWork / before - 1) < SAME) {
            String collapsed = collapsed(loads.get(previous)) + collapsed(loads.get(users));
            String place = loads.get(users).get(0).time.place();
            String message =
                Phrase.of(
                    "%d and %d users: %.0f and %.0f requests were in progress (medians), in effect"
                        + " one load%s",
                    previous, users, before, atWork, collapsed);
            findings.add(
                collapsed.isEmpty()
                    ? TableRule.SAME_LOAD.broken(place, message, ADMITTED)
                    : TableRule.SAME_LOAD.doubted(place, message, ADMITTED));
          }
        }
        previous = users;
      }
    }

    private static double median(List<Cell> cells) {
      double[] ratios = cells.stream().mapToDouble(Cell::ratio).toArray();
      Arrays.sort(ratios);
      return StatUtils.percentile(ratios, 50);
    }

    private record Cell(Row time, Row rate, double ratio) {
      boolean collapsed() {
        return StudyRates.collapsed(rate);
      }
    }
  }

  /**
   * Derives the n of a printed interval, n = (z·s/half-width)², which reveals missing runs and
   * intervals computed over requests.
   */
  private static final class StudyIntervals {
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
      return BigDecimal.valueOf(value).toPlainString();
    }
  }
}
