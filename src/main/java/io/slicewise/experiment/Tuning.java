package io.slicewise.experiment;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * The {@code tune} part of an experiment file: the question that a tune answers, and what the
 * answer may cost.
 *
 * @param guard by metric (or {@code run share of DOMAIN}) the worst change allowed, as a share; of
 *     {@code errors} the largest share of failed requests
 * @param within this close to the best is good enough, as a share
 * @param confidence of the claim
 * @param search by domain and parameter what is searched, as written; empty = only the profiles
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

  /** How several loads share an answer. */
  public enum Loads {
    /** One profile for all loads: effects are averaged over them. */
    TOGETHER,
    /** A profile for each load, the budget divided among them. */
    EACH;

    /** As written in files. */
    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * What a night may cost; at least one bound is given.
   *
   * @param trials measured trials, or windows of sessions
   */
  public record Budget(Optional<Duration> time, OptionalInt windows, OptionalInt trials) {
    /** The most trials or windows; empty = only time counts. */
    public OptionalInt most() {
      return windows.isPresent() && trials.isPresent()
          ? OptionalInt.of(Math.min(windows.getAsInt(), trials.getAsInt()))
          : windows.isPresent() ? windows : trials;
    }
  }

  /** The goal and the guard as far as reports of experiments know them. */
  Aim aim() {
    Map<String, Double> known = new TreeMap<>(guard);
    known.keySet().removeIf(metric -> TuneGoal.domainOf(metric).isPresent());
    return new Aim(goal.aim(), known);
  }
}
