package io.slicewise.evidence.published;

import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.published.StudyTable.Row;
import io.slicewise.run.validity.LittlesLaw;
import io.slicewise.run.validity.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.math3.stat.StatUtils;

/** Checks a study's rates against its response times in a closed load. */
final class StudyRates {
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
