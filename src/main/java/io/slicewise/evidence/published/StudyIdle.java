package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.commons.math3.stat.StatUtils;

/**
 * Finds domains that were idle while a load was served. By fixed limits: a guest below 0.5 %; the
 * control domain, which handles every packet and block, below 3 %, and then guests below 1 %. By
 * the table itself: less than a quarter of the upper quartile of the domain's own cells, in time
 * and in time per request.
 */
final class StudyIdle {
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
