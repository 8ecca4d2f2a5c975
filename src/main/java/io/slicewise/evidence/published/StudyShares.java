package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks a study's shares of time. */
final class StudyShares {
  /** The tolerance of a sum of three numbers that are rounded to a tenth of a percent. */
  private static final double ROUNDING = 0.1501;

  private static final double MUCH_WAIT = 50;
  private static final double BUSY = 90;
  static final String CONTROL_DOMAIN = "dom0";

  private StudyShares() {}

  static List<Violation> findings(StudyTable table) {
    List<Violation> findings = new ArrayList<>();
    for (Row run : StudyRules.rows(table, "run")) {
      sum(table, run).ifPresent(findings::add);
    }
    normalisation(table).forEach(findings::add);
    return findings;
  }

  private static Optional<Violation> sum(StudyTable table, Row run) {
    double sum = run.mean() + share(table, run, "block") + share(table, run, "wait");
    if (!(Math.abs(sum - 100) > ROUNDING)) {
      return Optional.empty();
    }
    return Optional.of(
        TableRule.SHARES.broken(
            run.place(),
            Phrase.of("%s, %s: block + run + wait = %.2f %%", run.cell(), run.vm(), sum),
            Math.abs(sum - 100) > 2
                ? "a digit or a number was mistyped or swapped"
                : "more than rounding: the three come from different records, or a digit is"
                    + " wrong"));
  }

  /**
   * Finds impossible waits: Xen's schedulers leave no pCPU idle while a vCPU waits for one, so a
   * guest cannot wait while most of the machine is idle. Reported once per guest.
   */
  private static List<Violation> normalisation(StudyTable table) {
    Map<String, List<Row>> suspects = new LinkedHashMap<>();
    double busiest = 0;
    for (Row wait : StudyRules.rows(table, "wait")) {
      double busy = StudyRules.sameCell(table, wait, "run").stream().mapToDouble(Row::mean).sum();
      if (busy < BUSY && wait.mean() > MUCH_WAIT && !wait.vm().equals(CONTROL_DOMAIN)) {
        suspects.computeIfAbsent(wait.vm(), vm -> new ArrayList<>()).add(wait);
        busiest = Math.max(busiest, busy);
      }
    }
    double most = busiest;
    return suspects.entrySet().stream()
        .map(entry -> normalised(entry.getKey(), entry.getValue(), most))
        .toList();
  }

  private static Violation normalised(String vm, List<Row> waits, double busiest) {
    return TableRule.NORMALISATION.broken(
        waits.get(0).place(),
        Phrase.of(
            "%s: printed wait of %.1f to %.1f %% in %d cells, but all domains together used at most"
                + " %.1f %% of the machine",
            vm,
            waits.stream().mapToDouble(Row::mean).min().orElseThrow(),
            waits.stream().mapToDouble(Row::mean).max().orElseThrow(),
            waits.size(),
            busiest),
        "shares were divided by all pCPUs instead of the guest's vCPUs, and wait is the remainder:"
            + " time on pCPUs that the guest cannot use counts as wait");
  }

  static double share(StudyTable table, Row run, String metric) {
    return StudyRules.sameCell(table, run, metric).stream()
        .filter(row -> row.vm().equals(run.vm()))
        .mapToDouble(Row::mean)
        .findFirst()
        .orElse(Double.NaN);
  }
}
