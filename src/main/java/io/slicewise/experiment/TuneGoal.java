package io.slicewise.experiment;

import io.slicewise.base.units.EnumName;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The goal of a tune: {@code lowest p95}, {@code highest throughput}, {@code p95 < 200ms}, {@code
 * throughput > 400/s}, {@code most users at p95 < 200ms}, {@code highest run share of web}.
 *
 * @param metric name in tables, or {@code run share of DOMAIN}; for {@link Kind#MOST_USERS} the
 *     limited metric
 * @param limit in ms or requests a second; empty = as low, or as high, as possible
 */
public record TuneGoal(Kind kind, String metric, OptionalDouble limit) {
  /** The prefix of a metric that is a domain's share of run time. */
  public static final String RUN_SHARE = "run share of ";

  private static final String MOST_USERS = "most users at ";

  /** The rule as a regular expression, for schemas. */
  static final String PATTERN =
      "^(%s|%s(mean|p50|p95|p99) *< *[0-9]+(\\.[0-9]+)? *(ms|s)|(highest|lowest) %s\\S+)$"
          .formatted(Aim.Goal.PATTERN.replaceAll("^\\^|\\$$", ""), MOST_USERS, RUN_SHARE);

  static final String RULE =
      "is not a goal such as 'lowest p95', 'highest throughput', 'p95 < 200ms', 'throughput >"
          + " 400/s', 'most users at p95 < 200ms' or 'highest run share of web'; response times are"
          + " mean, p50, p95 and p99";

  private static final Pattern TEXT = Pattern.compile(PATTERN);
  private static final Pattern SHARE =
      Pattern.compile("(?<way>highest|lowest) (?<metric>" + RUN_SHARE + "\\S+)");

  /** The kind of goal. */
  public enum Kind {
    LOWEST,
    HIGHEST,
    MOST_USERS
  }

  /**
   * Parses a goal.
   *
   * @throws IllegalArgumentException with the rule as its message
   */
  public static TuneGoal parse(String text) {
    if (!TEXT.matcher(text).matches()) {
      throw new IllegalArgumentException(RULE);
    }
    Matcher share = SHARE.matcher(text);
    if (share.matches()) {
      return new TuneGoal(
          Kind.valueOf(share.group("way").toUpperCase(Locale.ROOT)),
          share.group("metric"),
          OptionalDouble.empty());
    }
    if (text.startsWith(MOST_USERS)) {
      Aim.Goal bound = Aim.Goal.parse(text.substring(MOST_USERS.length()));
      return new TuneGoal(Kind.MOST_USERS, bound.metric(), bound.limit());
    }
    Aim.Goal goal = Aim.Goal.parse(text);
    return new TuneGoal(goal.lowest() ? Kind.LOWEST : Kind.HIGHEST, goal.metric(), goal.limit());
  }

  /** Returns whether less of the metric is better. */
  public boolean lowest() {
    return kind == Kind.LOWEST;
  }

  /** Returns the domain whose run share is the goal; empty for other goals. */
  public Optional<String> domain() {
    return domainOf(metric);
  }

  /** Returns the domain whose run share a metric is. */
  public static Optional<String> domainOf(String metric) {
    return metric.startsWith(RUN_SHARE)
        ? Optional.of(metric.substring(RUN_SHARE.length()))
        : Optional.empty();
  }

  /** Returns whether a guarded metric is better when smaller. */
  public static boolean lowerIsBetter(String metric) {
    return domainOf(metric).isEmpty() && !metric.equals("throughput");
  }

  /** Returns the goal in the form of reports; empty if they have no such goal. */
  public Optional<Aim.Goal> aim() {
    return domain().isPresent() || kind == Kind.MOST_USERS
        ? Optional.empty()
        : Optional.of(new Aim.Goal(metric, limit));
  }

  /** Returns the metric of the race with its direction: {@code lowest p95}. */
  public String direction() {
    return kind == Kind.MOST_USERS ? toString() : EnumName.of(kind) + " " + metric;
  }

  /** Returns the text that {@link #parse} converts back to this goal. */
  @Override
  public String toString() {
    if (kind == Kind.MOST_USERS) {
      return MOST_USERS + new Aim.Goal(metric, limit);
    }
    if (limit.isEmpty()) {
      return direction();
    }
    String number = BigDecimal.valueOf(limit.getAsDouble()).stripTrailingZeros().toPlainString();
    return metric + (lowest() ? " < " + number + "ms" : " > " + number + "/s");
  }
}
