package io.slicewise.tune.course;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.experiment.goal.Tuning;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.StudentInterval;
import io.slicewise.tune.Evidence.Block;
import io.slicewise.tune.GuardWatch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/** The guards of a tune, which limit the cost of each candidate. */
final class Guarding {
  private final Map<String, Double> allowed;
  private final Map<String, GoalMetric> metrics = new LinkedHashMap<>();
  private final Map<String, GuardWatch> watches = new LinkedHashMap<>();
  private final Map<Integer, List<Double>> errors = new LinkedHashMap<>();
  private final double confidence;

  Guarding(Experiment experiment, boolean sessions) {
    Tuning tuning = experiment.tuning().orElseThrow();
    allowed = tuning.guard();
    confidence = tuning.confidence();
    allowed.forEach(
        (metric, change) -> {
          if (!metric.equals(Aim.ERRORS)) {
            metrics.put(metric, GoalMetric.guarded(metric));
            watches.put(
                metric,
                GuardWatch.of(DomainMetric.lowerIsBetter(metric), change, confidence, sessions));
          }
        });
  }

  void enter() {
    watches.values().forEach(GuardWatch::enter);
  }

  /** Adds a block; a candidate's value is empty if it is not known at all loads. */
  void add(int session, UnitResults results, List<String> names) {
    watches.forEach(
        (metric, watch) -> {
          List<Integer> candidates = new ArrayList<>();
          List<Double> values = new ArrayList<>();
          for (String name : results.names()) {
            OptionalDouble value = results.value(name, metrics.get(metric));
            if (value.isPresent()) {
              candidates.add(names.indexOf(name));
              values.add(value.getAsDouble());
            }
          }
          watch.add(new Block(session, candidates, values));
        });
    for (String name : results.names()) {
      results.each(name).stream()
          .map(one -> one.value(Aim.ERRORS))
          .filter(Double::isFinite)
          .forEach(
              share ->
                  errors.computeIfAbsent(names.indexOf(name), any -> new ArrayList<>()).add(share));
    }
  }

  /** Returns the guard that a candidate breaks with its whole interval. */
  Optional<String> brokenBy(int candidate) {
    return watched(watch -> watch.isBroken(candidate))
        .map(one -> sentence(one, allowed.get(one)))
        .or(() -> tooManyErrors(errors.getOrDefault(candidate, List.of())));
  }

  /** Returns the guard that a candidate breaks more likely than not. */
  Optional<String> doubtfulFor(int candidate) {
    return watched(watch -> watch.isDoubtful(candidate))
        .map(one -> "probably " + sentence(one, allowed.get(one)));
  }

  private Optional<String> watched(Predicate<GuardWatch> rule) {
    return watches.entrySet().stream()
        .filter(one -> rule.test(one.getValue()))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private Optional<String> tooManyErrors(List<Double> shares) {
    return errors(shares)
        .filter(mean -> mean.low() > allowed.get(Aim.ERRORS))
        .map(any -> sentence(Aim.ERRORS, allowed.get(Aim.ERRORS)));
  }

  private Optional<Estimate> errors(List<Double> shares) {
    return allowed.containsKey(Aim.ERRORS) && shares.size() > 1
        ? Optional.of(StudentInterval.of(confidence, toArray(shares, Double::doubleValue)))
        : Optional.empty();
  }

  /**
   * Returns the guards that a confirmation breaks with its whole interval, as sentences.
   *
   * @param pairs of the confirmation, by metric
   * @param errorShares of the choice
   */
  List<String> broken(
      Function<GoalMetric, List<Confirmation.Pair>> pairs, List<Double> errorShares) {
    List<String> broken = new ArrayList<>();
    judged(pairs)
        .forEach(
            (metric, cost) -> {
              if (cost.low() > limit(metric)) {
                broken.add(sentence(metric, allowed.get(metric)));
              }
            });
    tooManyErrors(errorShares).ifPresent(broken::add);
    return broken;
  }

  /** Returns the guards that part of the interval of a confirmation breaks, as sentences. */
  List<String> unclear(
      Function<GoalMetric, List<Confirmation.Pair>> pairs, List<Double> errorShares) {
    List<String> unclear = new ArrayList<>();
    judged(pairs)
        .forEach(
            (metric, cost) -> {
              if (cost.low() <= limit(metric) && cost.high() > limit(metric)) {
                unclear.add(open(metric));
              }
            });
    errors(errorShares)
        .filter(mean -> mean.low() <= allowed.get(Aim.ERRORS))
        .filter(mean -> mean.high() > allowed.get(Aim.ERRORS))
        .ifPresent(any -> unclear.add(open(Aim.ERRORS)));
    return unclear;
  }

  /** Returns how much worse each guarded metric is in a confirmation, as a log ratio. */
  private Map<String, Estimate> judged(Function<GoalMetric, List<Confirmation.Pair>> pairs) {
    Map<String, Estimate> costs = new LinkedHashMap<>();
    metrics.forEach(
        (metric, figure) -> {
          List<Confirmation.Pair> both = pairs.apply(figure);
          if (both.size() > 1) {
            Estimate logs = Confirmation.change(both, confidence);
            costs.put(metric, DomainMetric.lowerIsBetter(metric) ? logs : logs.negated());
          }
        });
    return costs;
  }

  private double limit(String metric) {
    return DomainMetric.lowerIsBetter(metric)
        ? Math.log1p(allowed.get(metric))
        : -Math.log1p(-allowed.get(metric));
  }

  private String open(String metric) {
    return "may break the guard " + Aim.limit(metric, allowed.get(metric));
  }

  private static String sentence(String metric, double allowed) {
    return "breaks the guard " + Aim.limit(metric, allowed);
  }

  private static <T> double[] toArray(List<T> values, ToDoubleFunction<T> figure) {
    return values.stream().mapToDouble(figure).toArray();
  }
}
