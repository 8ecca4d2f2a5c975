package io.slicewise.evidence.study;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.evidence.study.StudyData.Pair;
import io.slicewise.stats.Band;
import io.slicewise.stats.Effect;
import io.slicewise.stats.Effect.Change;
import io.slicewise.stats.Equivalence;
import io.slicewise.stats.Holm;
import io.slicewise.stats.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * How much longer each case takes in a guest, for one arm.
 *
 * @param low end of the 95 % interval of the geometric mean; {@code NaN} unless boots were repeated
 * @param blocks number of boots of each system; 0 for a published table
 */
public record Slowdowns(
    String arm,
    List<Row> cases,
    OverallSlowdown overall,
    double low,
    double high,
    @JsonUnwrapped Sums sums,
    @JsonUnwrapped Directions directions,
    int blocks) {
  static final String TIME = "runtime";

  private static final double CONFIDENCE = 0.95;

  public Slowdowns {
    cases = List.copyOf(cases);
  }

  /**
   * One case.
   *
   * @param change the slowdown; the printed one if a table has it
   * @param p adjusted over the cases of the arm by Holm's method
   * @param verdict empty without an interval
   */
  public record Row(
      String name,
      double base,
      double xen,
      @JsonUnwrapped Change change,
      double p,
      Optional<Verdict> verdict) {
    /** The added time in seconds. */
    public double added() {
      return xen - base;
    }
  }

  /** The time of all cases in seconds. */
  public record Sums(@JsonProperty("baseSum") double base, @JsonProperty("xenSum") double xen) {}

  /**
   * The direction of the cases' slowdowns.
   *
   * @param slower number of cases that are slower in the guest
   * @param slowerMean their mean slowdown in percent; {@code NaN} if there are none
   */
  public record Directions(int slower, double slowerMean, int faster, double fasterMean) {
    private static Directions of(List<Row> rows) {
      List<Row> slower = rows.stream().filter(row -> row.change().percent() > 0).toList();
      List<Row> faster = rows.stream().filter(row -> row.change().percent() < 0).toList();
      return new Directions(slower.size(), mean(slower), faster.size(), mean(faster));
    }

    private static double mean(List<Row> rows) {
      return rows.stream().mapToDouble(row -> row.change().percent()).average().orElse(Double.NaN);
    }
  }

  /** The slowdowns of each arm that has running times on both systems. */
  public static List<Slowdowns> of(StudyData data) {
    return StudyArm.of(data.cells()).stream()
        .filter(arm -> !arm.pairs(TIME).isEmpty())
        .map(arm -> of(arm, data))
        .toList();
  }

  private static Slowdowns of(StudyArm arm, StudyData data) {
    List<Pair> pairs = arm.pairs(TIME);
    List<Effect> effects = pairs.stream().map(pair -> data.effect(pair, TIME)).toList();
    double[] adjusted = Holm.adjust(effects.stream().mapToDouble(Effect::pValue).toArray());
    double[] same =
        Holm.adjust(
            effects.stream()
                .mapToDouble(effect -> Equivalence.pValue(effect, Band.DEFAULT))
                .toArray());
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < pairs.size(); i++) {
      Optional<Verdict> verdict =
          Double.isNaN(effects.get(i).standardError())
              ? Optional.empty()
              : Optional.of(Verdict.of(effects.get(i), adjusted[i], same[i], Band.DEFAULT, false));
      rows.add(
          row(arm.caseOf(pairs.get(i).base()), pairs.get(i), effects.get(i), adjusted[i], verdict));
    }
    Effect overall = data.overall(pairs, TIME);
    return new Slowdowns(
        arm.name(),
        rows,
        OverallSlowdown.of(pairs, TIME),
        overall.lowPercent(CONFIDENCE),
        overall.highPercent(CONFIDENCE),
        new Sums(
            Pair.sum(pairs, pair -> pair.base().value(TIME)),
            Pair.sum(pairs, pair -> pair.other().value(TIME))),
        Directions.of(rows),
        data.blocks().size());
  }

  private static Row row(
      String name, Pair pair, Effect effect, double adjusted, Optional<Verdict> verdict) {
    return new Row(
        name,
        pair.base().value(TIME),
        pair.other().value(TIME),
        new Change(
            verdict.isPresent() ? effect.percent() : pair.slowdown(TIME),
            effect.lowPercent(CONFIDENCE),
            effect.highPercent(CONFIDENCE)),
        adjusted,
        verdict);
  }

  /** The case with the smallest slowdown. */
  public Row smallest() {
    return cases.stream()
        .min(Comparator.comparingDouble(row -> row.change().percent()))
        .orElseThrow();
  }

  /** The case with the largest slowdown. */
  public Row largest() {
    return cases.stream()
        .max(Comparator.comparingDouble(row -> row.change().percent()))
        .orElseThrow();
  }

  /**
   * The slowdown over all cases, in percent, in three ways whose signs may differ: the geometric
   * mean of the ratios, the mean of the slowdowns, and the ratio of the sums, which the longest
   * cases dominate.
   *
   * @param smallest of the single slowdowns
   */
  public record OverallSlowdown(
      double geometric, double mean, double ofSums, double smallest, double largest) {
    /**
     * The overall slowdown of a metric.
     *
     * @throws IllegalArgumentException if there is no pair
     */
    public static OverallSlowdown of(List<Pair> pairs, String metric) {
      if (pairs.isEmpty()) {
        throw new IllegalArgumentException("no case has " + metric + " on both systems");
      }
      double[] each = Pair.each(pairs, pair -> pair.slowdown(metric));
      double logs = Pair.sum(pairs, pair -> Math.log(pair.ratio(metric))) / pairs.size();
      double base = Pair.sum(pairs, pair -> pair.base().value(metric));
      double other = Pair.sum(pairs, pair -> pair.other().value(metric));
      return new OverallSlowdown(
          100 * Math.expm1(logs),
          Arrays.stream(each).average().orElseThrow(),
          100 * (other / base - 1),
          Arrays.stream(each).min().orElseThrow(),
          Arrays.stream(each).max().orElseThrow());
    }
  }
}
