package io.slicewise.run;

import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.DomainShares;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The figures of a finished trial that decide which trial comes next; the rest is on disk.
 *
 * @param p50Millis {@code NaN} when unknown, as the other percentiles
 * @param meanMillis {@code NaN} if nothing was loaded
 * @param throughput per second; {@code NaN} if nothing was loaded
 * @param errorShare share of failed samples; {@code NaN} if there are no samples
 * @param run share of the window in which a domain's vCPUs ran, by domain
 * @param seconds it took, all steps together
 */
public record Measured(
    Trial trial,
    boolean valid,
    double p50Millis,
    double p95Millis,
    double p99Millis,
    double meanMillis,
    double throughput,
    double errorShare,
    Map<String, Double> run,
    double seconds) {
  public Measured {
    run = Map.copyOf(run);
  }

  public static Measured of(TrialResult result) {
    return new Measured(
        result.trial(),
        result.valid(),
        result.load().map(LoadResult::p50Millis).orElse(Double.NaN),
        result.load().map(LoadResult::p95Millis).orElse(Double.NaN),
        result.load().map(LoadResult::p99Millis).orElse(Double.NaN),
        result.load().map(LoadResult::meanMillis).orElse(Double.NaN),
        result.load().map(LoadResult::throughput).orElse(Double.NaN),
        result.load().map(Measured::errorShare).orElse(Double.NaN),
        result.monitor().shares().stream()
            .filter(one -> Double.isFinite(one.run()))
            .collect(
                Collectors.toMap(
                    DomainShares::domain, DomainShares::run, (first, second) -> first)),
        result.times().stepSeconds().values().stream().mapToDouble(Double::doubleValue).sum());
  }

  private static double errorShare(LoadResult load) {
    return load.samples() == 0 ? Double.NaN : (double) load.failed() / (double) load.samples();
  }
}
