package io.slicewise.evidence.analysis;

import io.slicewise.base.units.EnumName;
import io.slicewise.base.units.Phrase;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.stats.Estimate;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A goal for cells such as {@code p95<200} or {@code throughput>400}. A cell meets it if the whole
 * 95 % interval does, misses it if no part of the interval does, and is unclear otherwise.
 *
 * @param limit in the metric's unit
 */
public record Goal(Metric metric, boolean below, double limit) {
  private static final Pattern TEXT =
      Pattern.compile("([a-z0-9]+)\\s*([<>])\\s*([0-9.]+)\\s*(ms|s|/s)?");

  /** The outcome of a goal for a cell. */
  public enum Outcome {
    HOLDS,
    FAILS,
    UNCLEAR;

    /** Returns the word in tables. */
    @Override
    public String toString() {
      return EnumName.of(this);
    }
  }

  /**
   * Parses a goal.
   *
   * @throws IllegalArgumentException with the rule as its message
   */
  public static Goal parse(String text) {
    Matcher matcher = TEXT.matcher(text.strip());
    if (matcher.matches()) {
      return Metric.OF_LOAD.stream()
          .filter(metric -> metric.key().equals(matcher.group(1)) && !metric.equals(Metric.ERRORS))
          .findFirst()
          .map(metric -> goal(metric, matcher))
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "is not a metric; metrics are throughput, mean, p50, p95, p99 and errors"));
    }
    throw new IllegalArgumentException(
        "is not a goal; write for example p95<200 or throughput>400");
  }

  private static Goal goal(Metric metric, Matcher text) {
    String unit = text.group(4) == null ? metric.unit() : text.group(4);
    if (unit.equals("/s") != metric.unit().equals("/s")) {
      throw new IllegalArgumentException("gives " + metric.key() + " in " + unit);
    }
    double limit = Double.parseDouble(text.group(3)) * (unit.equals("s") ? 1_000 : 1);
    return new Goal(metric, text.group(2).equals("<"), limit);
  }

  /** Returns the bound of an experiment's goal, if it has one. */
  public static Optional<Goal> of(Experiment experiment) {
    return experiment.aim().goal().flatMap(Goal::of);
  }

  /** Returns the bound of a goal, if it has one. */
  public static Optional<Goal> of(Aim.Goal aim) {
    return aim.limit().isPresent()
        ? Optional.of(new Goal(Metric.of(aim), aim.lowest(), aim.limit().getAsDouble()))
        : Optional.empty();
  }

  /** Returns whether the estimate meets the goal; unclear without an interval. */
  public Outcome judge(Estimate estimate) {
    if (below ? estimate.high() < limit : estimate.low() > limit) {
      return Outcome.HOLDS;
    }
    boolean fails = below ? estimate.low() >= limit : estimate.high() <= limit;
    return fails ? Outcome.FAILS : Outcome.UNCLEAR;
  }

  /** Returns {@code p95 < 200 ms}. */
  @Override
  public String toString() {
    String number = limit == Math.rint(limit) ? Phrase.of("%.0f", limit) : String.valueOf(limit);
    return metric.key() + (below ? " < " : " > ") + number + " " + metric.unit();
  }
}
