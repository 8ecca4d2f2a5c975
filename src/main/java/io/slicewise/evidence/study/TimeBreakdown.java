package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.evidence.study.Cells.Tiers;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.stats.table.BoxSummary;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.DoubleStream;

/** Where the time of an arm's cases goes, by mode. */
public record TimeBreakdown(String arm, List<Row> cases, List<Mode> modes, List<Rest> rests) {
  public TimeBreakdown {
    cases = List.copyOf(cases);
    modes = List.copyOf(modes);
    rests = List.copyOf(rests);
  }

  /**
   * The time of a case on one tier, in seconds by execution.
   *
   * @param total {@code NaN} if unknown; so is {@code rest} then
   * @param cpuWait of the executions that PostgreSQL reported, the time in which it waited for a
   *     CPU; {@code NaN} if unknown
   */
  public record Row(
      String name,
      String tier,
      double total,
      double user,
      double sys,
      double iowait,
      double steal,
      double rest,
      double cpuWait) {}

  /**
   * A mode over the cases.
   *
   * @param smallest slowdown in percent, of the cases in which the base has any
   * @param baseShare mean part of the time on the base over all cases, in percent
   */
  public record Mode(
      String name,
      double smallest,
      String smallestCase,
      double median,
      double largest,
      String largestCase,
      double baseShare,
      double xenShare) {}

  /**
   * Time outside all modes.
   *
   * @param mostSeconds the longest over the cases
   * @param least smallest part of the time, in percent
   */
  public record Rest(String tier, double mostSeconds, String mostCase, double least, double most) {}

  /** The breakdown of each arm with modes on both systems. */
  public static List<TimeBreakdown> of(StudyData data) {
    return StudyArm.of(data.cells()).stream()
        .filter(arm -> TimeModes.MODES.stream().anyMatch(mode -> !arm.pairs(mode).isEmpty()))
        .map(TimeBreakdown::of)
        .toList();
  }

  private static TimeBreakdown of(StudyArm arm) {
    List<Row> rows = new ArrayList<>();
    for (String tier : List.of(Tiers.BASE, Tiers.XEN)) {
      arm.on(tier, "user").forEach(cell -> rows.add(row(arm, cell)));
    }
    List<Mode> modes = new ArrayList<>();
    for (String mode : TimeModes.MODES) {
      List<Pair> all = arm.pairs(mode);
      List<Pair> slowed = all.stream().filter(pair -> pair.base().value(mode) > 0).toList();
      if (!slowed.isEmpty()) {
        modes.add(mode(arm, mode, slowed, all));
      }
    }
    List<Rest> rests = new ArrayList<>();
    for (String tier : List.of(Tiers.BASE, Tiers.XEN)) {
      List<Row> known =
          rows.stream()
              .filter(row -> row.tier().equals(tier) && Double.isFinite(row.rest()))
              .toList();
      if (!known.isEmpty()) {
        rests.add(rest(tier, known));
      }
    }
    return new TimeBreakdown(arm.name(), rows, modes, rests);
  }

  private static Row row(StudyArm arm, StudyCell cell) {
    return new Row(
        arm.caseOf(cell),
        cell.tier(),
        cell.value(Slowdowns.TIME),
        cell.value("user"),
        cell.value("sys"),
        cell.value("iowait"),
        cell.value("steal"),
        TimeModes.rest(cell),
        cell.value(TimeModes.CPU_WAIT));
  }

  /** Slowdowns need a time on the base; shares are of all cases, those without any included. */
  private static Mode mode(StudyArm arm, String mode, List<Pair> pairs, List<Pair> all) {
    double[] slowdowns = Pair.each(pairs, pair -> pair.slowdown(mode));
    int least = 0;
    int most = 0;
    for (int i = 1; i < slowdowns.length; i++) {
      least = slowdowns[i] < slowdowns[least] ? i : least;
      most = slowdowns[i] > slowdowns[most] ? i : most;
    }
    return new Mode(
        mode,
        slowdowns[least],
        arm.caseOf(pairs.get(least).base()),
        BoxSummary.of(slowdowns).median(),
        slowdowns[most],
        arm.caseOf(pairs.get(most).base()),
        share(all, pair -> TimeModes.share(pair.base(), mode)),
        share(all, pair -> TimeModes.share(pair.other(), mode)));
  }

  private static double share(List<Pair> pairs, ToDoubleFunction<Pair> part) {
    return Arrays.stream(Pair.each(pairs, part))
        .filter(Double::isFinite)
        .average()
        .orElse(Double.NaN);
  }

  private static Rest rest(String tier, List<Row> rows) {
    Row most = rows.get(0);
    for (Row row : rows) {
      most = row.rest() > most.rest() ? row : most;
    }
    double[] parts = rows.stream().mapToDouble(row -> 100 * row.rest() / row.total()).toArray();
    return new Rest(
        tier,
        most.rest(),
        most.name(),
        Arrays.stream(parts).min().orElseThrow(),
        Arrays.stream(parts).max().orElseThrow());
  }

  /**
   * The breakdown of a case's time: T = user + sys + iowait + steal + rest, with one vCPU and one
   * stream. The rest is printed and never distributed over the modes.
   */
  public static final class TimeModes {
    public static final List<String> MODES = List.of("user", "sys", "iowait", "steal");

    /** The time in which a process was ready and had no CPU of its own system. */
    static final String CPU_WAIT = "cpu_wait";

    private TimeModes() {}

    /** The time outside all measured modes, in seconds. */
    public static double rest(StudyCell cell) {
      DoubleStream modes = MODES.stream().mapToDouble(cell::value).filter(Double::isFinite);
      return cell.value("runtime") - modes.sum();
    }

    /** A mode's part of the time, in percent. */
    public static double share(StudyCell cell, String mode) {
      return 100 * cell.value(mode) / cell.value("runtime");
    }
  }
}
