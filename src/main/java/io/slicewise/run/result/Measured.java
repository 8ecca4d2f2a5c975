package io.slicewise.run.result;

import io.slicewise.experiment.Trial;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.experiment.goal.OutcomeMetric;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.run.result.TrialTimes.CutShort;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures of a finished trial that decide which trial comes next; the rest is on disk.
 *
 * @param metrics of the load and of what the workload reports, by name
 * @param shares of all domains
 * @param seconds it took, all steps together
 * @param disturbed whether it does not count because other programs used the machine
 * @param cut why a guard ended it early
 * @param pcpus of the host that its domains may use; 0 if unknown
 */
public record Measured(
    Trial trial,
    boolean valid,
    Map<String, Double> metrics,
    List<DomainShares> shares,
    double seconds,
    boolean disturbed,
    Optional<CutShort> cut,
    int pcpus) {
  public Measured {
    metrics = Map.copyOf(metrics);
    shares = List.copyOf(shares);
  }

  /** Returns the figures of a trial that other programs did not disturb. */
  public Measured(
      Trial trial,
      boolean valid,
      Map<String, Double> metrics,
      List<DomainShares> shares,
      double seconds) {
    this(trial, valid, metrics, shares, seconds, false, Optional.empty());
  }

  /** Returns the figures of a trial on a host whose CPUs do not matter. */
  public Measured(
      Trial trial,
      boolean valid,
      Map<String, Double> metrics,
      List<DomainShares> shares,
      double seconds,
      boolean disturbed,
      Optional<CutShort> cut) {
    this(trial, valid, metrics, shares, seconds, disturbed, cut, 0);
  }

  public static Measured of(TrialResult result) {
    return new Measured(
        result.trial(),
        result.valid(),
        metrics(result),
        result.shares(),
        result.times().stepSeconds().values().stream().mapToDouble(Double::doubleValue).sum(),
        result.disturbed(),
        result.times().cut(),
        result.host().pcpusOf(result.shares().stream().map(DomainShares::domain).toList()));
  }

  /** Returns the figures of a trial. */
  public static Measured of(
      Trial trial,
      boolean valid,
      Optional<LoadResult> load,
      List<DomainShares> shares,
      double seconds) {
    return new Measured(trial, valid, metrics(load), shares, seconds);
  }

  private static Map<String, Double> metrics(TrialResult result) {
    Map<String, Double> metrics = new HashMap<>(metrics(result.load()));
    result
        .measures()
        .forEach(
            measure -> metrics.put(new OutcomeMetric(measure.name()).toString(), measure.value()));
    return metrics;
  }

  private static Map<String, Double> metrics(Optional<LoadResult> load) {
    Map<String, Double> metrics = new HashMap<>();
    load.ifPresent(
        loaded -> {
          Aim.METRICS.forEach(metric -> metrics.put(metric, loaded.value(metric)));
          for (LoadResult label : loaded.labels()) {
            Aim.METRICS.forEach(
                metric -> metrics.put(of(metric, label.label()), label.value(metric)));
          }
        });
    return metrics;
  }

  /** Returns the name of a metric of the requests with a label: {@code p95 of web-1}. */
  public static String of(String metric, String label) {
    return metric + " of " + label;
  }

  /** Returns the metric of that name, of the load or of a domain; {@code NaN} if unknown. */
  public double value(String metric) {
    String name = OutcomeMetric.of(metric).map(OutcomeMetric::toString).orElse(metric);
    return DomainMetric.of(metric)
        .map(part -> part.value(shares, value("throughput")))
        .orElseGet(() -> metrics.getOrDefault(name, Double.NaN));
  }
}
