package io.slicewise.experiment.goal;

import io.slicewise.base.units.EnumName;
import io.slicewise.experiment.load.Axis;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.Schedulers;
import io.slicewise.profile.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The {@code tune} part of an experiment file: the question of a tune and its budget.
 *
 * @param guard by metric the worst change allowed, as a share; for {@code errors} the largest share
 *     of failed requests
 * @param within the distance to the best that is good enough, as a share
 * @param confidence of the claim
 * @param search the search ranges by domain and parameter, as written; empty = only the profiles
 *     listed
 */
public record Tuning(
    TuneGoal goal,
    Map<String, Double> guard,
    double within,
    double confidence,
    Budget budget,
    Map<String, Map<String, List<String>>> search,
    Loads loads) {
  public Tuning {
    guard = Collections.unmodifiableMap(new TreeMap<>(guard));
    Map<String, Map<String, List<String>>> copy = new LinkedHashMap<>();
    search.forEach(
        (domain, knobs) ->
            copy.put(domain, Collections.unmodifiableMap(new LinkedHashMap<>(knobs))));
    search = Collections.unmodifiableMap(copy);
  }

  /** How several loads share answers. */
  public enum Loads {
    /** One profile for all loads: effects are averaged over them. */
    TOGETHER,
    /** A profile for each load, the budget divided among them. */
    EACH;

    /** As written in files. */
    @Override
    public String toString() {
      return EnumName.of(this);
    }
  }

  /**
   * The budget of a night; at least one bound is given.
   *
   * @param trials measured trials, or windows of sessions
   */
  public record Budget(Optional<Duration> time, OptionalInt windows, OptionalInt trials) {
    /** Returns the most trials or windows; empty = only time is limited. */
    public OptionalInt most() {
      return windows.isPresent() && trials.isPresent()
          ? OptionalInt.of(Math.min(windows.getAsInt(), trials.getAsInt()))
          : windows.isPresent() ? windows : trials;
    }
  }

  /** Returns the parameters of the search. */
  public Set<String> searched() {
    return search.values().stream()
        .flatMap(knobs -> knobs.keySet().stream())
        .collect(Collectors.toSet());
  }

  /** Returns the parameters that a search under a scheduler can have. */
  public static List<String> searchable(Scheduler scheduler) {
    List<String> keys = new ArrayList<>(scheduler.keys());
    scheduler.limits().forEach(limit -> limit.percent().ifPresent(keys::add));
    scheduler.pool().ifPresent(pool -> keys.addAll(pool.keys()));
    if (Scheduler.PLACEMENT.hypervisor().equals(scheduler.hypervisor())) {
      keys.addAll(Scheduler.PLACEMENT.keys());
    }
    return List.copyOf(keys);
  }

  /**
   * Returns whether a parameter has no numbers, but values to choose from, such as sets of pCPUs.
   */
  public static boolean isChosen(String parameter) {
    return Schedulers.KNOWN.all().stream()
        .flatMap(scheduler -> scheduler.parameters().stream())
        .filter(its -> its.key().equals(parameter))
        .anyMatch(its -> its.kind().type() == String.class);
  }

  /** Returns whether parameters are those of a cpupool. */
  public static boolean isOfPool(Set<String> parameters) {
    return !parameters.isEmpty()
        && Stream.of(Scheduler.CREDIT_POOL, Scheduler.CREDIT2_POOL)
            .anyMatch(pool -> pool.keys().containsAll(parameters));
  }

  /** Returns the name of the target of a parameter: the domain, its place, or a cpupool. */
  public static String target(String name, String parameter) {
    if (Scheduler.PLACEMENT.keys().contains(parameter)) {
      return Scope.PLACE.target(name);
    }
    return isOfPool(Set.of(parameter)) ? Scope.POOL.target(name) : name;
  }

  /** Returns the names of the targets of the search. */
  public Set<String> targets() {
    return search.entrySet().stream()
        .flatMap(one -> one.getValue().keySet().stream().map(key -> target(one.getKey(), key)))
        .collect(Collectors.toSet());
  }

  /** Returns the goal and the guards as far as reports support them. */
  public Aim aim() {
    return new Aim(goal.aim(), guard);
  }

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
}
