package io.slicewise.evidence.analysis;

import io.slicewise.base.units.Percentile;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.IntervalMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;

/**
 * The distribution of a cell's response times, percentile by percentile. Each point is the mean of
 * its trials' percentiles with an interval over trials; requests of a trial are not independent, so
 * they are never pooled. In a session the windows of a profile are one trial.
 *
 * @param points by percentile, ascending, without those beyond which a trial has too few samples,
 *     so that all points cover the same trials
 */
public record PercentileCurve(String profile, Load load, List<Point> points) {
  private static final double[] PERCENTILES = {
    1, 5, 10, 20, 30, 40, 50, 60, 70, 75, 80, 85, 90, 92.5, 95, 97.5, 98, 99, 99.5, 99.9, 99.95,
    99.99
  };

  private static final double CONFIDENCE = 0.95;

  public PercentileCurve {
    points = List.copyOf(points);
  }

  /** One percentile, in milliseconds. */
  public record Point(double percentile, Estimate millis) {}

  /** Returns the curves by load and profile. */
  public static List<PercentileCurve> of(Experiment experiment, List<TrialResult> results) {
    return CellTrials.of(experiment, results).stream()
        .map(PercentileCurve::of)
        .filter(curve -> !curve.points().isEmpty())
        .toList();
  }

  private static PercentileCurve of(CellTrials cell) {
    List<List<Double>> values = new ArrayList<>();
    for (int i = 0; i < PERCENTILES.length; i++) {
      values.add(new ArrayList<>());
    }
    int trials = 0;
    for (List<TrialResult> one : cell.replicates()) {
      Optional<Histogram> times = MergedTimes.of(one);
      times.ifPresent(histogram -> add(histogram, values));
      trials += times.isPresent() ? 1 : 0;
    }
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < PERCENTILES.length; i++) {
      double[] known = values.get(i).stream().mapToDouble(Double::doubleValue).toArray();
      if (known.length > 0 && known.length == trials) {
        Estimate estimate = IntervalMethod.STUDENT.estimate(CONFIDENCE, known);
        points.add(new Point(PERCENTILES[i], estimate));
      }
    }
    return new PercentileCurve(cell.profile(), cell.load(), points);
  }

  private static void add(Histogram histogram, List<List<Double>> values) {
    for (int i = 0; i < PERCENTILES.length; i++) {
      if (histogram.getTotalCount() >= new Percentile(PERCENTILES[i]).samples()) {
        values.get(i).add((double) histogram.getValueAtPercentile(PERCENTILES[i]));
      }
    }
  }

  /**
   * Computes percentiles of several windows of one profile in one session from their merged
   * histograms: all windows of a session may have enough samples for a percentile although each
   * window has too few.
   */
  static final class MergedTimes {
    private static final int DIGITS = 3;

    private MergedTimes() {}

    /**
     * Returns the percentile in milliseconds; {@code NaN} for another metric, with too few samples,
     * or when a histogram is missing.
     */
    static double percentile(List<TrialResult> windows, Metric metric) {
      return metric
          .percentile()
          .flatMap(
              percentile ->
                  of(windows)
                      .filter(all -> all.getTotalCount() >= percentile.samples())
                      .map(all -> (double) all.getValueAtPercentile(percentile.percent())))
          .orElse(Double.NaN);
    }

    /** Returns the response times of all in milliseconds; empty when one has none. */
    static Optional<Histogram> of(List<TrialResult> windows) {
      List<Histogram> times =
          windows.stream()
              .flatMap(window -> window.load().stream())
              .flatMap(load -> load.responseTimes().stream())
              .toList();
      if (times.isEmpty() || times.size() < windows.size()) {
        return Optional.empty();
      }
      if (times.size() == 1) {
        return Optional.of(times.get(0));
      }
      Histogram all = new Histogram(DIGITS);
      times.forEach(all::add);
      return Optional.of(all);
    }
  }
}
