package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.StudyData.Pair;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * System calls with their cost; with two columns, such as a query and a kind, each row is a kind.
 *
 * @param by the columns that describe the rows
 * @param shareBase of the calls in the system time, in percent; {@code NaN} if not known
 * @param commonDifference the most frequent difference of the counts, guest less base
 * @param commonCases the number of cases with it
 */
public record SystemCalls(
    String arm,
    List<String> by,
    List<Row> cases,
    double baseSum,
    double xenSum,
    double shareBase,
    double shareXen,
    double commonDifference,
    int commonCases) {
  /** Columns that distinguish kinds of calls, in tables without a sum over all kinds. */
  public static final List<String> KINDS = List.of("kind", "call", "syscall", "name");

  static final String CALLS = "syscalls";

  private static final String TIME = "syscall_time";
  private static final String SYSTEM = "sys";

  public SystemCalls {
    by = List.copyOf(by);
    cases = List.copyOf(cases);
  }

  /**
   * One case, or one kind of a case.
   *
   * @param baseTime seconds of all calls
   * @param change of their time, in percent
   */
  public record Row(
      String name, double base, double xen, double baseTime, double xenTime, double change) {
    /** Seconds per call on the base. */
    public double baseCost() {
      return baseTime / base;
    }

    /** The sum of some rows. */
    public static Row sum(String name, List<Row> rows) {
      double base = rows.stream().mapToDouble(Row::baseTime).sum();
      double xen = rows.stream().mapToDouble(Row::xenTime).sum();
      return new Row(
          name,
          rows.stream().mapToDouble(Row::base).sum(),
          rows.stream().mapToDouble(Row::xen).sum(),
          base,
          xen,
          100 * (xen / base - 1));
    }

    /** Seconds per call in the guest. */
    public double xenCost() {
      return xenTime / xen;
    }
  }

  /** The calls of each arm that has their number on both systems. */
  public static List<SystemCalls> of(StudyData data) {
    return StudyArm.of(data.cells()).stream()
        .filter(arm -> !arm.pairs(CALLS).isEmpty())
        .map(SystemCalls::of)
        .toList();
  }

  private static SystemCalls of(StudyArm arm) {
    List<Pair> pairs = arm.pairs(CALLS);
    List<Row> rows = pairs.stream().map(pair -> row(arm, pair)).toList();
    Map<Double, Integer> differences = new HashMap<>();
    rows.forEach(row -> differences.merge(row.xen() - row.base(), 1, Integer::sum));
    Map.Entry<Double, Integer> common =
        differences.entrySet().stream()
            .max(
                Map.Entry.<Double, Integer>comparingByValue()
                    .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
            .orElseThrow();
    List<Pair> shared = arm.pairs(CALLS, TIME, SYSTEM);
    return new SystemCalls(
        arm.name(),
        arm.columns(),
        rows,
        rows.stream().mapToDouble(Row::base).sum(),
        rows.stream().mapToDouble(Row::xen).sum(),
        share(shared.stream().map(Pair::base).toList()),
        share(shared.stream().map(Pair::other).toList()),
        common.getKey(),
        common.getValue());
  }

  private static Row row(StudyArm arm, Pair pair) {
    return new Row(
        arm.caseOf(pair.base()),
        pair.base().value(CALLS),
        pair.other().value(CALLS),
        time(pair.base()),
        time(pair.other()),
        pair.base().has(TIME)
            ? pair.slowdown(TIME)
            : 100 * (time(pair.other()) / time(pair.base()) - 1));
  }

  /** Tables of kinds name the time of the calls plainly. */
  private static double time(StudyCell cell) {
    return cell.has(TIME) ? cell.value(TIME) : cell.value("time");
  }

  private static double share(List<StudyCell> cells) {
    return 100
        * cells.stream().mapToDouble(cell -> cell.value(TIME)).sum()
        / cells.stream().mapToDouble(cell -> cell.value(SYSTEM)).sum();
  }

  /** The time of all calls on both systems, in seconds. */
  public double[] times() {
    return new double[] {
      cases.stream().mapToDouble(Row::baseTime).sum(),
      cases.stream().mapToDouble(Row::xenTime).sum()
    };
  }

  /** The fewest seconds per call of any case; less than 50 ns is no measurement. */
  public double leastCost() {
    return cases.stream()
        .flatMapToDouble(row -> Arrays.stream(new double[] {row.baseCost(), row.xenCost()}))
        .filter(Double::isFinite)
        .min()
        .orElse(Double.NaN);
  }
}
