package io.slicewise.run.result;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.PairPlan;
import io.slicewise.experiment.SessionPlan;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.run.result.TrialTimes.CutShort;
import io.slicewise.stats.Band;
import io.slicewise.stats.CoinBets;
import io.slicewise.stats.SlowdownAlarm;
import io.slicewise.stats.Verdict;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What the pairs of a study show so far, in the metric of its goal, candidate by candidate ({@link
 * CoinBets}). A pair counts if both of its windows are valid and have the metric.
 *
 * @param lowest whether less of the metric is better
 * @param candidates in the experiment's order
 */
public record PairedStudy(String metric, boolean lowest, List<Candidate> candidates) {
  /** The probability that any interval of the study ever misses a constant effect. */
  public static final double LEVEL = 0.05;

  /**
   * The change for the worse that a candidate must exceed to leave for harm, and the probability
   * that any candidate of a study is wrongly said to.
   */
  private static final double HARM = Math.log(1.1);

  private static final double HARM_LEVEL = 0.01;

  /** The evidence of a pair in which one side alone was cut short. */
  private static final double TRIP = 0.5;

  public PairedStudy {
    candidates = List.copyOf(candidates);
  }

  /** What is decided about a candidate. */
  public enum State {
    OPEN("not decided"),
    BETTER("better"),
    WORSE("worse"),
    SAME("no difference that matters"),
    HARMFUL("harmful"),
    /** It left, and nobody knows whether the site stopped or only what is read of it. */
    LEFT("not decided");

    private final String words;

    State(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /**
   * A pair of windows.
   *
   * @param incumbent the metric under the settings found; {@code candidate} likewise
   */
  public record Pair(int number, double incumbent, double candidate) {
    /** Returns ln(candidate / incumbent). */
    public double change() {
      return Math.log(candidate / incumbent);
    }
  }

  /**
   * A candidate with its pairs, in their order.
   *
   * @param harm why it left the study for harm, and what it may have cost
   */
  public record Candidate(String name, List<Pair> pairs, CoinBets bets, State state, Harm harm) {
    public Candidate {
      pairs = List.copyOf(pairs);
    }

    /** Returns ln(candidate / incumbent) of each pair. */
    public double[] changes() {
      return pairs.stream().mapToDouble(Pair::change).toArray();
    }

    /** {@code credit-512 -7.2 % [-9.1, -5.0], 61 pairs: better}. */
    public String text() {
      if (pairs.isEmpty()) {
        return name + ": " + (harm.reason().isEmpty() ? "no pair counts" : harm.reason());
      }
      return Phrase.of(
          "%s %+.1f %% %s, %s: %s",
          name,
          100 * Math.expm1(bets.estimate()),
          interval(),
          Plural.of(pairs.size(), "pair"),
          harm.reason().isEmpty() ? state.words() : harm.reason());
    }

    private String interval() {
      return "[%s, %s]".formatted(end(bets.low()), end(bets.high()));
    }

    private static String end(double end) {
      return Double.isFinite(end) ? Phrase.of("%+.1f", 100 * Math.expm1(end)) : "–";
    }
  }

  /**
   * What a candidate did to the users.
   *
   * @param reason why it leaves the study; empty if it does not
   * @param cut windows of the candidate that a guard ended; {@code incumbentCut} those of the
   *     settings found in the same pairs
   * @param requests in its windows while it looks worse, at the usual rate where a window does not
   *     count; {@code seconds} likewise, with wash-outs
   */
  public record Harm(String reason, int cut, int incumbentCut, long requests, double seconds) {}

  /** Returns what these windows show. */
  public static PairedStudy of(Experiment experiment, Collection<Measured> windows) {
    Aim.Goal goal = experiment.aim().goal().orElseThrow();
    List<String> names = PairPlan.candidates(experiment);
    Map<Integer, List<Measured>> pairs =
        windows.stream()
            .collect(
                Collectors.groupingBy(
                    window -> window.trial().block(), TreeMap::new, Collectors.toList()));
    Duration washOut = SessionPlan.washOut(experiment);
    return new PairedStudy(
        goal.metric(),
        goal.lowest(),
        names.stream()
            .map(
                name ->
                    candidate(
                        name,
                        pairs.values().stream().filter(two -> isOf(two, name)).toList(),
                        LEVEL / names.size(),
                        goal,
                        window -> experiment.measure(window.trial()).plus(washOut)))
            .toList());
  }

  private static boolean isOf(List<Measured> two, String name) {
    return two.stream().anyMatch(window -> window.trial().profile().equals(name));
  }

  private static Optional<Pair> pair(List<Measured> two, String name, String metric) {
    List<Measured> known =
        two.stream().filter(window -> window.valid() && window.value(metric) > 0).toList();
    Optional<Measured> candidate =
        known.stream().filter(window -> window.trial().profile().equals(name)).findFirst();
    Optional<Measured> incumbent =
        known.stream().filter(window -> !window.trial().profile().equals(name)).findFirst();
    return candidate.isPresent() && incumbent.isPresent()
        ? Optional.of(
            new Pair(
                candidate.get().trial().block(),
                incumbent.get().value(metric),
                candidate.get().value(metric)))
        : Optional.empty();
  }

  private static Candidate candidate(
      String name,
      List<List<Measured>> windows,
      double level,
      Aim.Goal goal,
      Function<Measured, Duration> length) {
    List<Pair> pairs =
        windows.stream().flatMap(two -> pair(two, name, goal.metric()).stream()).toList();
    CoinBets bets = CoinBets.of(level, pairs.stream().mapToDouble(Pair::change).toArray());
    Optional<String> harmful = harmful(name, windows, HARM_LEVEL / LEVEL * level, goal);
    Optional<String> stalled = stalled(of(name, windows));
    Harm harm =
        harm(harmful.or(() -> stalled).orElse(""), name, windows, looksWorse(bets, goal), length);
    State state =
        !harm.reason().isEmpty()
            ? harmful.isPresent() ? State.HARMFUL : State.LEFT
            : switch (Verdict.of(bets, Band.DEFAULT, !goal.lowest())) {
              case BETTER -> State.BETTER;
              case WORSE -> State.WORSE;
              case SAME -> State.SAME;
              case UNCLEAR -> State.OPEN;
            };
    return new Candidate(name, pairs, bets, state, harm);
  }

  private static boolean looksWorse(CoinBets bets, Aim.Goal goal) {
    return bets.n() > 0 && bets.estimate() > 0 == goal.lowest();
  }

  private static List<Measured> of(String name, List<List<Measured>> windows) {
    return windows.stream()
        .flatMap(List::stream)
        .filter(window -> window.trial().profile().equals(name))
        .toList();
  }

  private static List<Measured> others(String name, List<List<Measured>> windows) {
    return windows.stream()
        .flatMap(List::stream)
        .filter(window -> !window.trial().profile().equals(name))
        .toList();
  }

  /** Returns what the first stall of a candidate's windows said; empty without one. */
  private static Optional<String> stalled(List<Measured> windows) {
    return windows.stream()
        .flatMap(window -> window.cut().stream())
        .filter(cut -> cut.kind() == SlowdownAlarm.Kind.STALL)
        .map(CutShort::sentence)
        .findFirst();
  }

  /**
   * Returns why a candidate is known to do harm; empty if it is not. A window that was cut short
   * proves nothing by itself, whatever the limit, since loads have bursts and errors of their own:
   * each pair is one bet, on which side alone was cut, or else on which is worse.
   */
  private static Optional<String> harmful(
      String name, List<List<Measured>> windows, double level, Aim.Goal goal) {
    double[] trips = windows.stream().mapToDouble(two -> trip(two, name)).toArray();
    double[] signs =
        IntStream.range(0, trips.length)
            .mapToObj(
                i ->
                    trips[i] != 0
                        ? OptionalDouble.of(trips[i])
                        : pair(windows.get(i), name, goal.metric()).stream()
                            .mapToDouble(pair -> (goal.lowest() ? 1 : -1) * pair.change() - HARM)
                            .findFirst())
            .flatMapToDouble(OptionalDouble::stream)
            .toArray();
    if (CoinBets.of(level, signs).mostAbove(0) < 1 / level) {
      return Optional.empty();
    }
    return Optional.of(
        2 * Arrays.stream(trips).filter(trip -> trip > 0).count() < signs.length
            ? "more than 10 % worse"
            : "%d of its windows were cut short, and %d of the settings found"
                .formatted(cut(of(name, windows)), cut(others(name, windows))));
  }

  private static Harm harm(
      String reason,
      String name,
      List<List<Measured>> windows,
      boolean looksWorse,
      Function<Measured, Duration> length) {
    List<Measured> its = of(name, windows);
    List<Measured> spent =
        its.stream().filter(window -> looksWorse || window.cut().isPresent()).toList();
    double usual =
        windows.stream()
            .flatMap(List::stream)
            .filter(Measured::valid)
            .mapToDouble(window -> window.value("throughput"))
            .filter(Double::isFinite)
            .max()
            .orElse(0);
    return new Harm(
        reason,
        cut(its),
        cut(others(name, windows)),
        spent.stream()
            .mapToLong(
                window ->
                    Math.round(
                        Math.max(0, window.valid() ? window.value("throughput") : usual)
                            * length.apply(window).toMillis()
                            / 1e3))
            .sum(),
        spent.stream().mapToDouble(window -> length.apply(window).toMillis() / 1e3).sum());
  }

  private static int cut(List<Measured> windows) {
    return (int) windows.stream().filter(window -> window.cut().isPresent()).count();
  }

  /** Returns 1 for a pair whose candidate alone was cut short, −1 for its counterpart, else 0. */
  private static double trip(List<Measured> two, String name) {
    return two.stream()
        .filter(window -> window.cut().isPresent())
        .mapToDouble(window -> window.trial().profile().equals(name) ? TRIP : -TRIP)
        .sum();
  }

  /** Returns what candidates that look worse have cost so far. */
  public Harm spent() {
    return candidates.stream()
        .map(Candidate::harm)
        .reduce(
            new Harm("", 0, 0, 0, 0),
            (one, other) ->
                new Harm(
                    "",
                    one.cut() + other.cut(),
                    one.incumbentCut() + other.incumbentCut(),
                    one.requests() + other.requests(),
                    one.seconds() + other.seconds()));
  }

  /** Returns the candidates that are still in the study. */
  public List<String> in() {
    return candidates.stream()
        .filter(candidate -> candidate.state() == State.OPEN)
        .map(Candidate::name)
        .toList();
  }

  /** Returns the end of a study in which no candidate is left, as a phrase. */
  public String ended() {
    boolean open = candidates.stream().anyMatch(candidate -> candidate.state() == State.LEFT);
    return (open ? "no candidate is left: " : "decided: ") + text();
  }

  /** Returns the number of pairs that count. */
  public int pairs() {
    return candidates.stream().mapToInt(candidate -> candidate.pairs().size()).sum();
  }

  /** Returns what is known of all candidates, as a phrase. */
  public String text() {
    return candidates.stream().map(Candidate::text).collect(Collectors.joining("; "));
  }
}
