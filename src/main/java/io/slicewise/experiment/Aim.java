package io.slicewise.experiment;

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
 * What an experiment is to find out, where its file says so: the metric that decides and what must
 * not get worse for it. Reports take it for their default.
 *
 * @param guard by metric, the worst change allowed as a share, 0.05 = 5 % worse; of {@code errors}
 *     the largest share of failed requests allowed
 */
public record Aim(Optional<Goal> goal, Map<String, Double> guard) {
  /** Nothing is said. */
  public static final Aim NONE = new Aim(Optional.empty(), Map.of());

  /** The guard that is no change: a share of requests. */
  public static final String ERRORS = "errors";

  static final String THROUGHPUT = "throughput";
  static final List<String> TIMES = List.of("mean", "p50", "p95", "p99");

  public Aim {
    guard = Collections.unmodifiableMap(new TreeMap<>(guard));
  }

  /** The guard as files write it, by metric. */
  public Map<String, String> guardTexts() {
    Map<String, String> texts = new TreeMap<>();
    guard.forEach((metric, allowed) -> texts.put(metric, AimReader.text(metric, allowed)));
    return texts;
  }

  /**
   * {@code p95 < 200ms}, {@code throughput > 400/s}, {@code lowest p95}, {@code highest
   * throughput}.
   *
   * @param metric by its name in tables
   * @param limit in ms or requests a second; empty = as low, or as high, as can be
   */
  public record Goal(String metric, OptionalDouble limit) {
    private static final String NUMBER = "([1-9][0-9]{0,8}(\\.[0-9]{1,3})?|0\\.[0-9]{0,5}[1-9])";
    private static final String TIME = "(" + String.join("|", TIMES) + ")";

    /** The rule as a regular expression, for schemas. */
    static final String PATTERN =
        "^(lowest +"
            + TIME
            + "|highest +throughput|"
            + TIME
            + " *< *"
            + NUMBER
            + " *(ms|s)|throughput *> *"
            + NUMBER
            + " */s)$";

    static final String RULE =
        "is not a goal such as 'p95 < 200ms', 'throughput > 400/s', 'lowest p95' or 'highest"
            + " throughput'; response times are mean, p50, p95 and p99";

    private static final Pattern TEXT = Pattern.compile(PATTERN);
    private static final Pattern BOUND =
        Pattern.compile("(?<metric>[a-z0-9]+) *[<>] *(?<number>[0-9.]+) *(?<unit>.*)");

    /**
     * The goal a text stands for.
     *
     * @throws IllegalArgumentException with the rule as its message
     */
    static Goal parse(String text) {
      if (!TEXT.matcher(text).matches()) {
        throw new IllegalArgumentException(RULE);
      }
      Matcher bound = BOUND.matcher(text);
      if (!bound.matches()) {
        return new Goal(text.substring(text.lastIndexOf(' ') + 1), OptionalDouble.empty());
      }
      double number = Double.parseDouble(bound.group("number"));
      double unit = bound.group("unit").equals("s") ? 1_000 : 1;
      return new Goal(bound.group("metric"), OptionalDouble.of(number * unit));
    }

    /** Whether less is better. */
    public boolean lowest() {
      return !metric.equals(THROUGHPUT);
    }

    /** The text that {@link #parse} turns back into exactly this goal. */
    @Override
    public String toString() {
      if (limit.isEmpty()) {
        return (lowest() ? "lowest " : "highest ") + metric;
      }
      String number = BigDecimal.valueOf(limit.getAsDouble()).stripTrailingZeros().toPlainString();
      return metric + (lowest() ? " < " + number + "ms" : " > " + number + "/s");
    }
  }
}
