package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Load;
import io.slicewise.experiment.TuneGoal;
import io.slicewise.profile.Role;
import io.slicewise.run.Measured;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * The metric that decides between candidates, as one positive number for all loads that share an
 * answer: the geometric mean over the loads, or the number of users at which a response time
 * reaches its limit (linear in its logarithm between loads, proportional beyond them).
 */
public final class GoalMetric {
  private final TuneGoal goal;
  private final String control;

  public GoalMetric(Experiment experiment) {
    this(experiment, experiment.tuning().orElseThrow().goal());
  }

  private GoalMetric(Experiment experiment, TuneGoal goal) {
    this.goal = goal;
    this.control = experiment.domains().get(Role.DOM0).stream().findFirst().orElse(Role.DOM0.key());
  }

  /** Returns the metric of a guard, which is a mean over the loads. */
  static GoalMetric guarded(Experiment experiment, String metric) {
    return new GoalMetric(
        experiment, new TuneGoal(TuneGoal.Kind.HIGHEST, metric, OptionalDouble.empty()));
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
    return goal.kind() == TuneGoal.Kind.MOST_USERS
        ? "users"
        : goal.metric() + (unit().isEmpty() ? "" : " " + unit());
  }

  /** Returns the unit: ms, /s, % or nothing. */
  public String unit() {
    if (goal.kind() == TuneGoal.Kind.MOST_USERS) {
      return "users";
    }
    return goal.domain().isPresent() ? "%" : goal.metric().equals("throughput") ? "/s" : "ms";
  }

  /** Returns the metric of one trial; {@code NaN} if unknown. */
  public double of(Measured measured) {
    return switch (goal.metric()) {
      case "throughput" -> measured.throughput();
      case "mean" -> measured.meanMillis();
      case "p50" -> measured.p50Millis();
      case "p95" -> measured.p95Millis();
      case "p99" -> measured.p99Millis();
      default -> 100 * measured.run().getOrDefault(domain(), Double.NaN);
    };
  }

  private String domain() {
    String name = goal.domain().orElseThrow();
    return name.equals(Role.DOM0.key()) ? control : name;
  }

  /** Returns the metric over all loads; empty if it is missing at one of them. */
  public OptionalDouble of(Map<Load, Double> byLoad) {
    if (byLoad.isEmpty() || byLoad.values().stream().anyMatch(value -> !(value > 0))) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        goal.kind() == TuneGoal.Kind.MOST_USERS
            ? users(new TreeMap<>(byLoad))
            : Math.exp(byLoad.values().stream().mapToDouble(Math::log).average().orElseThrow()));
  }

  private double users(NavigableMap<Load, Double> byLoad) {
    double limit = goal.limit().orElseThrow();
    Map.Entry<Load, Double> below = null;
    for (Map.Entry<Load, Double> one : byLoad.entrySet()) {
      if (one.getValue() > limit) {
        return below == null
            ? one.getKey().users() * limit / one.getValue()
            : crossing(below, one, limit);
      }
      below = one;
    }
    Map.Entry<Load, Double> last = byLoad.lastEntry();
    return last.getKey().users() * Math.min(2, limit / last.getValue());
  }

  private static double crossing(
      Map.Entry<Load, Double> below, Map.Entry<Load, Double> above, double limit) {
    double part =
        Math.log(limit / below.getValue()) / Math.log(above.getValue() / below.getValue());
    return below.getKey().users() + part * (above.getKey().users() - below.getKey().users());
  }
}
