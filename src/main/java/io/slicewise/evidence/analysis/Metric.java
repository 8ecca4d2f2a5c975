package io.slicewise.evidence.analysis;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.slicewise.base.units.Percentile;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A metric of a cell: of its load, of a domain's vCPU time, or an outcome that the workload
 * reports. Metrics of the same name are equal.
 */
public final class Metric {
  public static final Metric THROUGHPUT = new Metric("throughput", "/s", true);
  public static final Metric MEAN = new Metric("mean", "ms", false);
  public static final Metric P50 = new Metric("p50", "ms", false);
  public static final Metric P95 = new Metric("p95", "ms", false);
  public static final Metric P99 = new Metric("p99", "ms", false);
  public static final Metric ERRORS = new Metric("errors", "share", false);

  /** The metrics that every load has. */
  public static final List<Metric> OF_LOAD = List.of(THROUGHPUT, MEAN, P50, P95, P99, ERRORS);

  private final String key;
  private final String unit;
  private final boolean moreIsBetter;

  private Metric(String key, String unit, boolean moreIsBetter) {
    this.key = key;
    this.unit = unit;
    this.moreIsBetter = moreIsBetter;
  }

  /**
   * Returns the metric of that name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static Metric of(String key) {
    return OF_LOAD.stream()
        .filter(metric -> metric.key.equalsIgnoreCase(key))
        .findFirst()
        .or(() -> DomainMetric.of(key).map(Metric::of))
        .or(() -> OutcomeMetric.of(key).map(outcome -> new Metric(key, "", true)))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "is not a metric; metrics are throughput, mean, p50, p95, p99, errors, those of"
                        + " a domain such as 'wait share of DOMAIN', and 'outcome NAME' of a"
                        + " workload that reports numbers"));
  }

  private static Metric of(DomainMetric part) {
    return new Metric(part.toString(), part.kind().unit(), !part.kind().lowerIsBetter());
  }

  /** Returns the metric of a goal; less or more of it is better, as the goal says. */
  public static Metric of(Aim.Goal goal) {
    Metric metric = of(goal.metric());
    return new Metric(metric.key, metric.unit, !goal.lowest());
  }

  /** Returns the metrics of the load, and those of domains in the experiment's goal and guards. */
  public static List<Metric> of(Experiment experiment) {
    Set<Metric> all = new LinkedHashSet<>(OF_LOAD);
    experiment.aim().goal().map(Metric::of).ifPresent(all::add);
    experiment.aim().guard().keySet().forEach(name -> all.add(of(name)));
    return List.copyOf(all);
  }

  /** Returns the metric to show beside this one, as the price of an improvement. */
  public Metric companion() {
    return equals(THROUGHPUT) ? P95 : THROUGHPUT;
  }

  /** Returns a trial's value; {@code NaN} if it is unknown. */
  public double value(TrialResult trial) {
    Optional<OutcomeMetric> outcome = OutcomeMetric.of(key);
    if (outcome.isPresent()) {
      return outcome.get().value(trial.measures());
    }
    Optional<LoadResult> load = trial.load();
    return DomainMetric.of(key)
        .map(
            part -> part.value(trial.shares(), load.map(LoadResult::throughput).orElse(Double.NaN)))
        .orElseGet(() -> load.map(this::value).orElse(Double.NaN));
  }

  /** Returns the value of a load or of one of its labels; {@code NaN} if it is unknown. */
  public double value(LoadResult load) {
    return load.value(key);
  }

  /** Returns the percentile of response times that the metric is; empty if none. */
  Optional<Percentile> percentile() {
    return Percentile.of(key);
  }

  /** Returns whether it is how near to its limit the tile is that is the nearest to it. */
  boolean isWorstTile() {
    return OutcomeMetric.isWorstTile(key);
  }

  /**
   * Returns the smallest difference that the metric shows: one request in a window of that many
   * seconds, one millisecond, or what monitors resolve.
   */
  double resolution(double seconds) {
    return switch (unit) {
      case "/s" -> 1 / seconds;
      case "ms" -> 1;
      case "%" -> DomainMetric.LEAST_PERCENT;
      default -> 0;
    };
  }

  /** Returns the estimate over trials by a method, or by its variant for shares. */
  Estimate estimate(IntervalMethod method, double confidence, double... values) {
    return (equals(ERRORS) ? method.ofShares() : method).estimate(confidence, values);
  }

  /** Returns whether several values are all equal within the metric's resolution. */
  boolean isCoarse(double... values) {
    return values.length > 1
        && values[0] > 0
        && (percentile().isEmpty() || values[0] == Math.rint(values[0]))
        && Arrays.stream(values).allMatch(x -> x == values[0]);
  }

  /** Returns the name in files and options. */
  @JsonValue
  public String key() {
    return key;
  }

  public String unit() {
    return unit;
  }

  public boolean moreIsBetter() {
    return moreIsBetter;
  }

  @JsonCreator
  private static Metric fromJson(String name) {
    return of(name);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Metric metric && metric.key.equals(key);
  }

  @Override
  public int hashCode() {
    return key.hashCode();
  }

  @Override
  public String toString() {
    return key;
  }
}
