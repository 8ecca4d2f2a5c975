package io.slicewise.experiment.goal;

import io.slicewise.base.units.PercentText;
import io.slicewise.base.units.Percentile;
import io.slicewise.workload.tiles.Tile;
import java.math.BigDecimal;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The goal of an experiment, if its file has one: the metric that decides, and the metrics that
 * must not get worse. Reports use it as their default.
 *
 * @param guard by metric, the worst change allowed as a share, 0.05 = 5 % worse; for {@code errors}
 *     the largest share of failed requests
 */
public record Aim(Optional<Goal> goal, Map<String, Double> guard) {
  /** No goal and no guards. */
  public static final Aim NONE = new Aim(Optional.empty(), Map.of());

  /** The guard on the share of failed requests, which is not a change. */
  public static final String ERRORS = "errors";

  public static final String THROUGHPUT = "throughput";

  /** The metrics of a load. */
  public static final List<String> METRICS =
      List.of(THROUGHPUT, "mean", "p50", "p95", "p99", ERRORS);

  static final List<String> TIMES = List.of("mean", "p50", "p95", "p99");

  public Aim {
    guard = Collections.unmodifiableMap(new TreeMap<>(guard));
  }

  /** Returns the guards as files write them, by metric. */
  public Map<String, String> guardTexts() {
    Map<String, String> texts = new TreeMap<>();
    guard.forEach((metric, allowed) -> texts.put(metric, text(metric, allowed)));
    return texts;
  }

  /** Returns a guard as an experiment file writes it. */
  public static String text(String metric, double allowed) {
    String sign = metric.equals(ERRORS) ? "" : DomainMetric.lowerIsBetter(metric) ? "+" : "-";
    return sign + PercentText.of(allowed);
  }

  /** Returns a guard as a phrase: {@code errors at most 0.5%}, {@code p95 not worse than +5%}. */
  public static String limit(String metric, double allowed) {
    return limit(metric, text(metric, allowed));
  }

  /** Returns a guard as a phrase, from its text in files. */
  public static String limit(String metric, String allowed) {
    return metric + (metric.equals(ERRORS) ? " at most " : " not worse than ") + allowed;
  }

  /**
   * {@code p95 < 200ms}, {@code throughput > 400/s}, {@code lowest p95}, {@code lowest wait share
   * of db}, {@code highest outcome events}.
   *
   * @param metric name in tables
   * @param lowest whether less is better
   * @param limit in ms or requests a second; empty = as low, or as high, as possible
   */
  public record Goal(String metric, boolean lowest, OptionalDouble limit) {
    private static final String NUMBER = "([1-9][0-9]{0,8}(\\.[0-9]{1,3})?|0\\.[0-9]{0,5}[1-9])";
    private static final String TIME = "(" + String.join("|", TIMES) + ")";

    /** The rule as a regular expression, for schemas. */
    public static final String PATTERN =
        "^(lowest +"
            + TIME
            + "|highest +throughput|(highest|lowest) +"
            + DomainMetric.PATTERN
            + "|(highest|lowest) +"
            + OutcomeMetric.PATTERN
            + "|worst +(goal|throughput|"
            + String.join("|", TIMES)
            + ")|"
            + TIME
            + " *< *"
            + NUMBER
            + " *(ms|s)|throughput *> *"
            + NUMBER
            + " */s)$";

    public static final String RULE =
        "is not a goal such as 'p95 < 200ms', 'throughput > 400/s', 'lowest p95', 'highest"
            + " throughput', 'lowest wait share of web' or, of tiles, 'worst p95'; response times are mean, p50, p95 and"
            + " p99";

    private static final Pattern TEXT = Pattern.compile(PATTERN);
    private static final Pattern BOUND =
        Pattern.compile("(?<metric>[a-z0-9]+) *[<>] *(?<number>[0-9.]+) *(?<unit>.*)");

    /** Returns how many samples its metric needs. */
    public long samples() {
      return Percentile.of(metric).map(Percentile::samples).orElse(0L);
    }

    /** Returns how near to its limit a value is: 1 at the limit, more beyond it. */
    public double strain(double value) {
      double end = limit.orElse(Double.NaN);
      return lowest ? value / end : end / value;
    }

    /** Returns a tile's own goal. */
    public static Optional<Goal> of(Tile tile) {
      return tile.goal().map(Goal::parse);
    }

    /** A goal in the direction that is better for the metric. */
    public Goal(String metric, OptionalDouble limit) {
      this(metric, DomainMetric.lowerIsBetter(metric), limit);
    }

    /**
     * Parses a goal.
     *
     * @throws IllegalArgumentException with the rule as its message
     */
    public static Goal parse(String text) {
      if (!TEXT.matcher(text).matches()) {
        throw new IllegalArgumentException(RULE);
      }
      Matcher bound = BOUND.matcher(text);
      if (!bound.matches()) {
        String[] words = text.split(" +", 2);
        if (OutcomeMetric.WORST.startsWith(words[0])) {
          return new Goal(OutcomeMetric.WORST + words[1], true, OptionalDouble.empty());
        }
        return new Goal(words[1], words[0].equals("lowest"), OptionalDouble.empty());
      }
      double number = Double.parseDouble(bound.group("number"));
      double unit = bound.group("unit").equals("s") ? 1_000 : 1;
      return new Goal(bound.group("metric"), OptionalDouble.of(number * unit));
    }

    /** Returns the text that {@link #parse} converts back to this goal. */
    @Override
    public String toString() {
      if (limit.isEmpty()) {
        return metric.startsWith(OutcomeMetric.WORST)
            ? metric
            : (lowest ? "lowest " : "highest ") + metric;
      }
      String number = BigDecimal.valueOf(limit.getAsDouble()).stripTrailingZeros().toPlainString();
      return metric + (lowest ? " < " + number + "ms" : " > " + number + "/s");
    }
  }
}
