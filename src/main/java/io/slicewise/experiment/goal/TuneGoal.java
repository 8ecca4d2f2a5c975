package io.slicewise.experiment.goal;

import io.slicewise.experiment.load.Axis;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The goal of a tune: {@code lowest p95}, {@code highest throughput}, {@code p95 < 200ms}, {@code
 * throughput > 400/s}, {@code most users at p95 < 200ms}, {@code most arrivals at p95 < 200ms},
 * {@code lowest wait share of web}.
 *
 * @param metric name in tables; for the most users or arrivals, the limited metric
 * @param limit in ms or requests a second; empty = as low, or as high, as possible
 */
public record TuneGoal(Kind kind, String metric, OptionalDouble limit) {
  private static final Pattern MOST = Pattern.compile("most (users|arrivals) at (.*)");

  /** The rule as a regular expression, for schemas. */
  public static final String PATTERN =
      "^(%s|most (users|arrivals) at (mean|p50|p95|p99) *< *[0-9]+(\\.[0-9]+)? *(ms|s))$"
          .formatted(Aim.Goal.PATTERN.replaceAll("^\\^|\\$$", ""));

  public static final String RULE =
      "is not a goal such as 'lowest p95', 'highest throughput', 'p95 < 200ms', 'throughput >"
          + " 400/s', 'most users at p95 < 200ms', 'highest run share of web' or 'lowest wait share"
          + " of web'; response times are mean, p50, p95 and p99";

  private static final Pattern TEXT = Pattern.compile(PATTERN);

  /** The kind of goal. */
  public enum Kind {
    LOWEST,
    HIGHEST,
    MOST_USERS,
    MOST_ARRIVALS;

    /** Returns the axis of load whose largest level within the limit is wanted; usually empty. */
    public Optional<Axis> most() {
      return switch (this) {
        case MOST_USERS -> Optional.of(Axis.USERS);
        case MOST_ARRIVALS -> Optional.of(Axis.RATE);
        case LOWEST, HIGHEST -> Optional.empty();
      };
    }
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
    Matcher most = MOST.matcher(text);
    if (most.matches()) {
      Aim.Goal bound = Aim.Goal.parse(most.group(2));
      return new TuneGoal(
          most.group(1).equals("users") ? Kind.MOST_USERS : Kind.MOST_ARRIVALS,
          bound.metric(),
          bound.limit());
    }
    Aim.Goal goal = Aim.Goal.parse(text);
    return new TuneGoal(goal.lowest() ? Kind.LOWEST : Kind.HIGHEST, goal.metric(), goal.limit());
  }

  /** Returns whether less of the metric is better. */
  public boolean lowest() {
    return kind == Kind.LOWEST;
  }

  /** Returns the goal in the form of reports; empty if they have no such goal. */
  public Optional<Aim.Goal> aim() {
    return kind.most().isPresent()
        ? Optional.empty()
        : Optional.of(new Aim.Goal(metric, lowest(), limit));
  }

  /** Returns the text that {@link #parse} converts back to this goal. */
  @Override
  public String toString() {
    return aim()
        .map(Aim.Goal::toString)
        .orElseGet(
            () ->
                "most %s at %s"
                    .formatted(
                        kind == Kind.MOST_USERS ? "users" : "arrivals",
                        new Aim.Goal(metric, limit)));
  }
}
