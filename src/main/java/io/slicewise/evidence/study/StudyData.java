package io.slicewise.evidence.study;

import io.slicewise.evidence.study.Cells.StudyCell;
import io.slicewise.stats.BlockedEffect;
import io.slicewise.stats.Effect;
import io.slicewise.stats.WelchEffect;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The numbers of an overhead study.
 *
 * @param cells means over everything
 * @param blocks the cells of each block, a boot of each system; fewer than two if boots were not
 *     repeated
 * @param passes the cells of each trial, if there is one block; empty for published tables
 */
public record StudyData(Cells cells, List<Cells> blocks, List<Cells> passes) {
  public StudyData {
    blocks = List.copyOf(blocks);
    passes = List.copyOf(passes);
  }

  /** Numbers without repetitions, as in a published table. */
  public static StudyData published(Cells cells) {
    return new StudyData(cells, List.of(), List.of());
  }

  /** Whether the base and the guest were booted more than once. */
  public boolean repeatsBoots() {
    return blocks.size() > 1;
  }

  /**
   * The effect on a metric of a case: Student's t over blocks, or Welch's over the passes of one
   * boot each, which cannot distinguish the boot from Xen.
   */
  public Effect effect(Pair pair, String metric) {
    if (repeatsBoots()) {
      return overBlocks(pair, metric);
    }
    return passes.isEmpty()
        ? unknown(pair.ratio(metric))
        : WelchEffect.of(values(passes, pair.other(), metric), values(passes, pair.base(), metric));
  }

  private Effect overBlocks(Pair pair, String metric) {
    List<Double> base = new ArrayList<>();
    List<Double> other = new ArrayList<>();
    for (Cells block : blocks) {
      OptionalDouble one = value(block, pair.base(), metric);
      OptionalDouble two = value(block, pair.other(), metric);
      if (one.isPresent() && two.isPresent()) {
        base.add(one.getAsDouble());
        other.add(two.getAsDouble());
      }
    }
    return base.isEmpty()
        ? unknown(pair.ratio(metric))
        : BlockedEffect.of(array(other), array(base));
  }

  /** The effect on the geometric mean over the cases; blocks without all of them do not count. */
  public Effect overall(List<Pair> pairs, String metric) {
    List<Double> base = new ArrayList<>();
    List<Double> other = new ArrayList<>();
    for (Cells block : blocks) {
      double one = geometric(block, pairs.stream().map(Pair::base).toList(), metric);
      double two = geometric(block, pairs.stream().map(Pair::other).toList(), metric);
      if (Double.isFinite(one) && Double.isFinite(two)) {
        base.add(one);
        other.add(two);
      }
    }
    double logs = Pair.sum(pairs, pair -> Math.log(pair.ratio(metric))) / pairs.size();
    return base.size() < 2 ? unknown(Math.exp(logs)) : BlockedEffect.of(array(other), array(base));
  }

  private static double geometric(Cells block, List<StudyCell> cells, String metric) {
    double logs = 0;
    for (StudyCell cell : cells) {
      logs += Math.log(value(block, cell, metric).orElse(Double.NaN));
    }
    return Math.exp(logs / cells.size());
  }

  private static OptionalDouble value(Cells block, StudyCell like, String metric) {
    double value =
        block.find(like.of(), like.tier()).map(cell -> cell.value(metric)).orElse(Double.NaN);
    return value > 0 ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  private static double[] values(List<Cells> passes, StudyCell like, String metric) {
    return passes.stream()
        .map(pass -> value(pass, like, metric))
        .filter(OptionalDouble::isPresent)
        .mapToDouble(OptionalDouble::getAsDouble)
        .toArray();
  }

  private static Effect unknown(double ratio) {
    return new Effect(Math.log(ratio), Double.NaN, Double.NaN, 1);
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /**
   * One case on two tiers, or in two arms.
   *
   * @param base the reference
   * @param printed differences printed in the table, with more digits than the two values give;
   *     empty for a run
   */
  public record Pair(StudyCell base, StudyCell other, StudyCell printed) {
    /** Other / base. */
    public double ratio(String metric) {
      return other.value(metric) / base.value(metric);
    }

    /** Other − base. */
    public double difference(String metric) {
      return other.value(metric) - base.value(metric);
    }

    /** 100 (other / base − 1), in percent; the printed value if there is one. */
    public double slowdown(String metric) {
      return Stream.of(
              metric.equals("runtime") ? "rel_slowdown" : "",
              "rel_" + metric + "_slowdown",
              metric + "_slowdown")
          .filter(printed::has)
          .findFirst()
          .map(printed::value)
          .orElseGet(() -> 100 * (ratio(metric) - 1));
    }

    /** A property of each pair, in their order. */
    public static double[] each(List<Pair> pairs, ToDoubleFunction<Pair> property) {
      return pairs.stream().mapToDouble(property).toArray();
    }

    /** The sum of a property. */
    public static double sum(List<Pair> pairs, ToDoubleFunction<Pair> property) {
      return pairs.stream().mapToDouble(property).sum();
    }
  }
}
