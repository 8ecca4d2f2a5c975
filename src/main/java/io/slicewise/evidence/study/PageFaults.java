package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.OverheadStudy.ConnectionCost;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.stats.Correlation;
import io.slicewise.stats.OriginFit;
import io.slicewise.stats.table.BoxSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * The page faults of an arm's cases, and their part in the added time.
 *
 * @param alike largest difference between the systems in percent, of cases that are no outliers
 * @param unlike cases whose counts differ by more
 * @param baseCost system time per fault over the cases, in seconds
 * @param share empty if there are too few cases for a fit
 */
public record PageFaults(
    String arm,
    List<Row> cases,
    double baseSum,
    double xenSum,
    double alike,
    List<String> unlike,
    Cost baseCost,
    Cost xenCost,
    Optional<FaultShare> share) {
  static final String FAULTS = "page_faults";

  private static final String SYSTEM = "sys";
  private static final int FEWEST = 4;

  /** Counts that differ by less, in percent, are alike. */
  private static final double ALIKE = 5;

  public PageFaults {
    cases = List.copyOf(cases);
    unlike = List.copyOf(unlike);
  }

  /**
   * One case.
   *
   * @param rate faults per second of the guest's running time
   * @param baseCost system time per fault, in seconds
   * @param slowdown of the running time, in percent
   */
  public record Row(
      String name,
      double base,
      double xen,
      double rate,
      double baseCost,
      double xenCost,
      double slowdown) {
    /** The difference of the counts in percent. */
    public double difference() {
      return 100 * (xen / base - 1);
    }
  }

  /**
   * The system time per fault, in seconds.
   *
   * @param least of cases that are not far out
   * @param outside cases that are far out
   */
  public record Cost(double least, double median, double most, List<String> outside) {
    public Cost {
      outside = List.copyOf(outside);
    }
  }

  /** The faults of each arm in which both systems counted any. */
  public static List<PageFaults> of(StudyData data) {
    return StudyArm.of(data.cells()).stream()
        .filter(arm -> arm.pairs(FAULTS).stream().anyMatch(PageFaults::faulted))
        .map(PageFaults::of)
        .toList();
  }

  private static PageFaults of(StudyArm arm) {
    List<Row> rows = arm.pairs(FAULTS).stream().map(pair -> row(arm, pair)).toList();
    Fences fences =
        Fences.of(rows.stream().mapToDouble(row -> Math.abs(row.difference())).toArray());
    Predicate<Row> unlike =
        row -> Math.abs(row.difference()) > ALIKE && fences.excludes(Math.abs(row.difference()));
    List<Pair> timed = arm.pairs(FAULTS, Slowdowns.TIME, SYSTEM);
    return new PageFaults(
        arm.name(),
        rows,
        rows.stream().mapToDouble(Row::base).sum(),
        rows.stream().mapToDouble(Row::xen).sum(),
        rows.stream()
            .filter(unlike.negate())
            .mapToDouble(row -> Math.abs(row.difference()))
            .max()
            .orElse(Double.NaN),
        rows.stream().filter(unlike).map(Row::name).toList(),
        cost(rows, true),
        cost(rows, false),
        timed.size() < FEWEST ? Optional.empty() : Optional.of(FaultShare.of(timed)));
  }

  private static boolean faulted(Pair pair) {
    return pair.base().value(FAULTS) + pair.other().value(FAULTS) > 0;
  }

  private static Row row(StudyArm arm, Pair pair) {
    return new Row(
        arm.caseOf(pair.base()),
        pair.base().value(FAULTS),
        pair.other().value(FAULTS),
        pair.other().value(FAULTS) / pair.other().value(Slowdowns.TIME),
        FaultCost.ofSystemTime(pair.base()),
        FaultCost.ofSystemTime(pair.other()),
        pair.slowdown(Slowdowns.TIME));
  }

  private static Cost cost(List<Row> rows, boolean base) {
    ToDoubleFunction<Row> cost = base ? Row::baseCost : Row::xenCost;
    Fences fences = Fences.of(rows.stream().mapToDouble(cost).toArray());
    return new Cost(
        fences.least(),
        fences.median(),
        fences.most(),
        rows.stream()
            .filter(row -> fences.excludes(cost.applyAsDouble(row)))
            .map(Row::name)
            .toList());
  }

  /** The total of the added time that faults explain, with the costs of one fault. */
  public static List<Explained> explained(StudyData data, Optional<LatencyCost> tool) {
    List<Explained> all = new ArrayList<>();
    for (StudyArm arm : StudyArm.of(data.cells())) {
      List<Pair> timed = arm.pairs(FAULTS, Slowdowns.TIME, SYSTEM);
      if (timed.size() >= FEWEST) {
        tool.ifPresent(
            cost ->
                all.add(explained(arm, timed, "cost by lat_pagefault", cost.xen() - cost.base())));
        all.add(explained(arm, timed, "cost by the fit", FaultShare.of(timed).b()));
        ConnectionCost.partner(data, arm).ifPresent(kept -> all.add(saved(arm, timed, kept)));
      }
    }
    return all;
  }

  private static Explained explained(StudyArm arm, List<Pair> timed, String method, double cost) {
    return new Explained(
        arm.name(),
        method,
        Pair.sum(timed, pair -> pair.difference(Slowdowns.TIME)),
        cost,
        FaultShare.ofAdded(timed, Slowdowns.TIME, cost),
        FaultShare.ofAdded(timed, SYSTEM, cost),
        Double.NaN);
  }

  private static Explained saved(StudyArm arm, List<Pair> timed, StudyArm kept) {
    double added = Pair.sum(timed, pair -> pair.difference(Slowdowns.TIME));
    double left = Pair.sum(kept.pairs(Slowdowns.TIME), pair -> pair.difference(Slowdowns.TIME));
    return new Explained(
        arm.name(),
        "saved by one connection",
        added,
        Double.NaN,
        100 * (1 - left / added),
        Double.NaN,
        left);
  }

  /**
   * The part of the added time that is faults, by one method.
   *
   * @param added seconds over all cases
   * @param cost added seconds per fault; {@code NaN} if the method has none
   * @param ofTime percent of the added time
   * @param ofSystem percent of the added system time; {@code NaN} if the method does not know it
   * @param left seconds of the added time that a persistent connection does not save
   */
  public record Explained(
      String arm,
      String method,
      double added,
      double cost,
      double ofTime,
      double ofSystem,
      double left) {}

  /** The seconds per fault that lmbench's {@code lat_pagefault} measured on each system. */
  public record LatencyCost(double base, double xen) {}

  /**
   * The share of page faults in the time that a guest adds. The correlation of the fault rate with
   * the slowdown has the guest's time on both axes; the fit T_xen − T_base = a T_base + b f does
   * not.
   *
   * @param correlation of f_xen / T_xen with the slowdown; the cases are not a random sample
   * @param a the fraction of the base's time that is added independently of faults
   * @param b seconds per fault
   * @param bError standard error of {@code b}
   * @param systemB seconds of system time per fault, by the same fit of system time
   */
  public record FaultShare(
      Correlation correlation,
      double a,
      double b,
      double bError,
      double systemB,
      double systemBError) {
    private static final String TIME = "runtime";
    private static final String FAULTS = "page_faults";

    /** The correlation and fits of cases that have running time, system time and faults. */
    public static FaultShare of(List<Pair> pairs) {
      OriginFit time = fit(pairs, TIME);
      OriginFit system = fit(pairs, "sys");
      return new FaultShare(
          Correlation.of(
              Pair.each(pairs, pair -> pair.other().value(FAULTS) / pair.other().value(TIME)),
              Pair.each(pairs, pair -> pair.slowdown(TIME))),
          time.coefficients().get(0),
          time.coefficients().get(1),
          time.standardErrors().get(1),
          system.coefficients().get(1),
          system.standardErrors().get(1));
    }

    private static OriginFit fit(List<Pair> pairs, String metric) {
      return OriginFit.of(
          Pair.each(pairs, pair -> pair.difference(metric)),
          pairs.stream()
              .map(pair -> new double[] {pair.base().value(TIME), pair.other().value(FAULTS)})
              .toArray(double[][]::new));
    }

    /**
     * The percentage of the added time of a metric that faults explain at a cost in seconds each.
     */
    public static double ofAdded(List<Pair> pairs, String metric, double cost) {
      return 100
          * cost
          * Pair.sum(pairs, pair -> pair.other().value(FAULTS))
          / Pair.sum(pairs, pair -> pair.difference(metric));
    }
  }

  /** The range of values that are not far out: within three interquartile ranges of the box. */
  private record Fences(double least, double median, double most) {
    private static final double FAR = 3;

    /** The fences of the finite values; {@code NaN} if there are none. */
    static Fences of(double... values) {
      double[] known = Arrays.stream(values).filter(Double::isFinite).toArray();
      if (known.length == 0) {
        return new Fences(Double.NaN, Double.NaN, Double.NaN);
      }
      BoxSummary box = BoxSummary.of(known);
      double reach = FAR * (box.q3() - box.q1());
      double[] within =
          Arrays.stream(known)
              .filter(value -> value >= box.q1() - reach && value <= box.q3() + reach)
              .toArray();
      return new Fences(
          Arrays.stream(within).min().orElseThrow(),
          box.median(),
          Arrays.stream(within).max().orElseThrow());
    }

    boolean excludes(double value) {
      return value < least || value > most;
    }
  }

  /**
   * The cost of a page fault in seconds, without a special tool: from system time, which includes
   * all other work of the kernel; and from a new connection per query compared with a persistent
   * one, whose pages stay mapped.
   *
   * @param bySums (Σ T_query − Σ T_one) / Σ f
   * @param byMedian median over cases of (T_query − T_one) / f
   */
  public record FaultCost(double bySums, double byMedian) {
    /** System time per fault. */
    public static double ofSystemTime(StudyCell cell) {
      return cell.value("sys") / cell.value("page_faults");
    }

    /**
     * The cost from connections.
     *
     * @param all one connection per query, and a persistent one, whose faults are assumed to be 0
     *     if not counted; cases in which a new connection does not fault more are left out
     */
    public static FaultCost ofConnections(List<Pair> all) {
      List<Pair> arms = all.stream().filter(pair -> faults(pair) > 0).toList();
      if (arms.isEmpty()) {
        return new FaultCost(Double.NaN, Double.NaN);
      }
      double saved = -Pair.sum(arms, pair -> pair.difference("runtime"));
      return new FaultCost(
          saved / Pair.sum(arms, FaultCost::faults),
          BoxSummary.of(Pair.each(arms, pair -> -pair.difference("runtime") / faults(pair)))
              .median());
    }

    private static double faults(Pair arms) {
      double kept = arms.other().value("page_faults");
      return arms.base().value("page_faults") - (Double.isNaN(kept) ? 0 : kept);
    }
  }
}
