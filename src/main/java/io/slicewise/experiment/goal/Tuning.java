package io.slicewise.experiment.goal;

import io.slicewise.base.units.EnumName;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

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

  /** Returns the goal and the guards as far as reports support them. */
  public Aim aim() {
    return new Aim(goal.aim(), guard);
  }
}
