package io.slicewise.experiment.goal;

import io.slicewise.base.units.Measure;
import io.slicewise.workload.tiles.Tiles;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A number that the workload itself reports for a window, as goals and options name it: {@code
 * outcome events}.
 */
public record OutcomeMetric(String name) {
  /** All names as a regular expression without groups. */
  public static final String PATTERN = "outcome [A-Za-z0-9][A-Za-z0-9._-]*";

  private static final String WORD = "outcome ";

  /** Begins the metric of the tile that is the nearest to its limit, such as {@code worst p95}. */
  public static final String WORST = "worst ";

  private static final Pattern TEXT = Pattern.compile(PATTERN);

  /** Returns the metric of that name; empty for all others. */
  public static Optional<OutcomeMetric> of(String metric) {
    if (metric.startsWith(WORST)) {
      return Optional.of(new OutcomeMetric(Tiles.WORST));
    }
    return metric.startsWith(WORD) && TEXT.matcher(metric).matches()
        ? Optional.of(new OutcomeMetric(metric.substring(WORD.length())))
        : Optional.empty();
  }

  /** Returns whether a metric is that of the tile that is the nearest to its limit. */
  public static boolean isWorstTile(String metric) {
    return of(metric).filter(new OutcomeMetric(Tiles.WORST)::equals).isPresent();
  }

  /** Returns its value among the measures of a trial; {@code NaN} if it is not known. */
  public double value(List<Measure> measures) {
    return measures.stream()
        .filter(measure -> measure.name().equals(name))
        .mapToDouble(Measure::value)
        .findFirst()
        .orElse(Double.NaN);
  }

  /** Returns the name that {@link #of} converts back to this metric. */
  @Override
  public String toString() {
    return WORD + name;
  }
}
