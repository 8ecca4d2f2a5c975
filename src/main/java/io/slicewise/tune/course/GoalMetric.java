package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.experiment.goal.Tuning.TuneGoal;
import io.slicewise.experiment.load.Axis;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.Measured;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The metric that decides between candidates, as one positive number for all loads that share an
 * answer: the geometric mean over the loads, or the size of load at which a response time reaches
 * its limit (linear in its logarithm between loads, proportional beyond them).
 */
public final class GoalMetric {
  private final TuneGoal goal;

  public GoalMetric(Experiment experiment) {
    this(experiment.tuning().orElseThrow().goal());
  }

  private GoalMetric(TuneGoal goal) {
    this.goal = goal;
  }

  /** Returns the metric of a guard, which is a mean over the loads. */
  static GoalMetric guarded(String metric) {
    return new GoalMetric(new TuneGoal(TuneGoal.Kind.HIGHEST, metric, OptionalDouble.empty()));
  }

  /** Returns whether less is better. */
  public boolean lowerIsBetter() {
    return goal.lowest();
  }

  /** Returns the name of the metric that a goal limits. */
  public String limited() {
    return goal.metric();
  }

  /** Returns the limit of the goal, in the metric's unit. */
  public OptionalDouble limit() {
    return goal.limit();
  }

  /** Returns whether the limit is the highest value allowed; throughput has a lowest one. */
  boolean limitIsHighest() {
    return goal.kind() != TuneGoal.Kind.HIGHEST;
  }

  /** Returns the metric's name with its unit. */
  public String label() {
    return name().equals(unit()) ? unit() : (name() + " " + unit()).strip();
  }

  /** Returns the metric's name: that of the goal's metric, or users or arrivals/s. */
  public String name() {
    return goal.kind().most().map(Axis::unit).orElse(goal.metric());
  }

  /** Returns the unit: ms, /s, %, users or arrivals/s. */
  public String unit() {
    return goal.kind()
        .most()
        .map(Axis::unit)
        .or(() -> DomainMetric.of(goal.metric()).map(one -> one.kind().unit()))
        .orElseGet(this::unitOfLoad);
  }

  private String unitOfLoad() {
    return goal.metric().equals("throughput")
        ? "/s"
        : OutcomeMetric.of(goal.metric()).isPresent() ? "" : "ms";
  }

  /** Returns the metric of one trial; {@code NaN} if unknown. */
  public double of(Measured measured) {
    return measured.value(goal.metric());
  }

  /** Returns the metric over all loads; empty if it is missing at one of them. */
  public OptionalDouble of(Map<Load, Double> byLoad) {
    if (byLoad.isEmpty() || byLoad.values().stream().anyMatch(value -> !(value > 0))) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        goal.kind().most().isPresent()
            ? largest(new TreeMap<>(byLoad))
            : Math.exp(byLoad.values().stream().mapToDouble(Math::log).average().orElseThrow()));
  }

  private double largest(NavigableMap<Load, Double> byLoad) {
    double limit = goal.limit().orElseThrow();
    Map.Entry<Load, Double> below = null;
    for (Map.Entry<Load, Double> one : byLoad.entrySet()) {
      if (one.getValue() > limit) {
        return below == null
            ? one.getKey().size() * limit / one.getValue()
            : crossing(below, one, limit);
      }
      below = one;
    }
    Map.Entry<Load, Double> last = byLoad.lastEntry();
    return last.getKey().size() * Math.min(2, limit / last.getValue());
  }

  private static double crossing(
      Map.Entry<Load, Double> below, Map.Entry<Load, Double> above, double limit) {
    double part =
        Math.log(limit / below.getValue()) / Math.log(above.getValue() / below.getValue());
    return below.getKey().size() + part * (above.getKey().size() - below.getKey().size());
  }
}
