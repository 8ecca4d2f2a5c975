package io.slicewise.cli.screens;

import io.slicewise.base.units.Measure;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.WindowPlace;
import io.slicewise.experiment.goal.DomainMetric;
import io.slicewise.host.monitor.DomainShares;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.TrialResult;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;

/** Short descriptions of a trial for progress lines. */
final class TrialWords {
  private TrialWords() {}

  /** Returns {@code w512 u300 r2}, or {@code w512 u300-i2 r2} with two neighbours. */
  static String name(Trial trial) {
    return "%s%s %s"
        .formatted(
            trial.profile(),
            trial.load().isNone() ? "" : " " + trial.load().mark(),
            trial.place().map(WindowPlace::mark).orElse("r" + trial.repetition()));
  }

  /**
   * Returns the measured values; {@code observed} if there are none.
   *
   * @param metric of a domain, shown too
   */
  static String numbers(TrialResult result, Optional<DomainMetric> metric) {
    String of =
        metric
            .map(one -> "%s %s".formatted(one, number("%.1f ", value(result, one)) + unit(one)))
            .orElse("");
    String loaded =
        result.load().map(TrialWords::numbers).orElseGet(() -> numbers(result.measures()));
    return of.isEmpty() && loaded.isEmpty() ? "observed" : (loaded + " " + of).strip();
  }

  private static String numbers(List<Measure> measures) {
    return measures.stream()
        .map(
            measure ->
                "%s %s%s"
                    .formatted(measure.name(), number("%.4g ", measure.value()), measure.unit()))
        .map(String::strip)
        .collect(Collectors.joining(" "));
  }

  private static double value(TrialResult result, DomainMetric metric) {
    return Measured.of(result).value(metric.toString());
  }

  private static String unit(DomainMetric metric) {
    return metric.kind().unit();
  }

  private static String numbers(LoadResult load) {
    return "%s mean %s p95 %s %s"
        .formatted(
            number("%.1f/s", load.throughput()),
            number("%.1f ms", load.meanMillis()),
            number("%.0f ms", load.p95Millis()),
            errors(load.failed(), load.samples()));
  }

  static String errors(long failed, long samples) {
    return "err " + number("%.1f %%", samples == 0 ? Double.NaN : 100.0 * failed / samples);
  }

  /** Returns the shares of vCPU time, busiest domain first. */
  static List<String> shares(TrialResult result) {
    return result.shares().stream()
        .filter(share -> !Double.isNaN(share.run()))
        .sorted((a, b) -> Double.compare(b.run(), a.run()))
        .map(TrialWords::share)
        .toList();
  }

  private static String share(DomainShares share) {
    return share.domain()
        + number(" run %.0f %%", 100 * share.run())
        + number(" wait %.0f %%", 100 * share.waiting())
        + number(" blocked %.0f %%", 100 * share.blocked());
  }

  /** Returns the formatted number, or a dash if it is unknown. */
  static String number(String format, double value) {
    return Double.isFinite(value)
        ? String.format(Locale.ROOT, format, value)
        : format.replaceAll("%\\.[0-9][fg]", "–").replace("%%", "%");
  }
}
