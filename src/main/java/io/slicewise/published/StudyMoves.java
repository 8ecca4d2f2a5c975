package io.slicewise.published;

import io.slicewise.published.StudyTable.Row;
import io.slicewise.stats.MedianPolish;
import io.slicewise.validity.Violation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Shares that add up and cannot be: of a domain's two-way table (profiles by users) both run and
 * wait of one cell stand far off what their row and column have, by the same amount, one up and one
 * down. Something was moved from one to the other, a digit mostly.
 */
final class StudyMoves {
  /** What two shares' rounding to a tenth of a percent, and their neighbours', may leave. */
  private static final double ALIKE = 1;

  private StudyMoves() {}

  static List<Violation> findings(StudyTable table) {
    List<Row> runs = StudyRules.rows(table, "run");
    List<Violation> findings = new ArrayList<>();
    for (String domain : runs.stream().map(Row::vm).distinct().toList()) {
      List<Row> its = runs.stream().filter(row -> row.vm().equals(domain)).toList();
      findings.addAll(of(table, domain, its));
    }
    return findings;
  }

  private static List<Violation> of(StudyTable table, String domain, List<Row> rows) {
    List<String> profiles = rows.stream().map(Row::profile).distinct().toList();
    List<Integer> loads = rows.stream().map(Row::users).distinct().toList();
    double[][] run = new double[profiles.size()][loads.size()];
    double[][] wait = new double[profiles.size()][loads.size()];
    for (Row row : rows) {
      int i = profiles.indexOf(row.profile());
      int j = loads.indexOf(row.users());
      run[i][j] = row.mean();
      wait[i][j] = share(table, row);
    }
    Optional<MedianPolish> runs = polished(rows.size(), run);
    Optional<MedianPolish> waits = polished(rows.size(), wait);
    List<Violation> findings = new ArrayList<>();
    for (Row row : runs.isPresent() && waits.isPresent() ? rows : List.<Row>of()) {
      int i = profiles.indexOf(row.profile());
      int j = loads.indexOf(row.users());
      double up = runs.get().residual(i, j);
      double down = waits.get().residual(i, j);
      if (runs.get().isFarOut(i, j) && waits.get().isFarOut(i, j) && Math.abs(up + down) <= ALIKE) {
        findings.add(finding(row, domain, wait[i][j], up));
      }
    }
    return findings;
  }

  /** Empty when a cell is missing. */
  private static Optional<MedianPolish> polished(int rows, double[][] table) {
    boolean whole = table.length > 0 && rows == table.length * table[0].length;
    for (double[] row : table) {
      for (double value : row) {
        whole &= Double.isFinite(value);
      }
    }
    return whole ? Optional.of(MedianPolish.of(table)) : Optional.empty();
  }

  private static Violation finding(Row row, String domain, double wait, double moved) {
    return Rule.MOVED.broken(
        row.place(),
        String.format(
            Locale.ROOT,
            "%s, %s: run %.1f %% and wait %.1f %% stand %.1f points off their neighbours, one up"
                + " and one down; %.1f and %.1f would fit",
            row.cell(),
            domain,
            row.mean(),
            wait,
            Math.abs(moved),
            row.mean() - moved,
            wait + moved),
        "a digit was mistyped and the rest computed from it, or two numbers were mixed up");
  }

  private static double share(StudyTable table, Row run) {
    return StudyRules.sameCell(table, run, "wait").stream()
        .filter(row -> row.vm().equals(run.vm()))
        .mapToDouble(Row::mean)
        .findFirst()
        .orElse(Double.NaN);
  }
}
