package io.slicewise.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.NumberText;
import io.slicewise.base.units.Phrase;
import io.slicewise.evidence.answer.Answer;
import io.slicewise.evidence.answer.Answer.Claim;
import io.slicewise.evidence.answer.RunEvidence;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.load.Load;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerProfile;
import io.slicewise.stats.Correlation;
import io.slicewise.tune.course.CandidatePool;
import io.slicewise.tune.course.CandidatePool.Candidate;
import io.slicewise.tune.course.Confirmation;
import io.slicewise.tune.course.EffectSurface;
import io.slicewise.tune.course.LimitCheck;
import io.slicewise.tune.course.RaceCourse;
import io.slicewise.tune.course.TuneCourse;
import io.slicewise.tune.course.TuneRuns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The answer of a tune and how it came about.
 *
 * @param question what was looked for
 * @param premises what candidates were simulated with, or why they were not
 * @param leftOut why points of the search space were left out
 */
public record TuneReport(
    String question,
    String premises,
    List<String> knobs,
    List<String> leftOut,
    int candidates,
    @JsonUnwrapped Cost cost,
    List<RaceReport> races) {
  public TuneReport {
    knobs = List.copyOf(knobs);
    leftOut = List.copyOf(leftOut);
    races = List.copyOf(races);
  }

  /**
   * What a tune took.
   *
   * @param trials measured so far, all purposes together
   * @param unit of these: trial or window
   * @param seconds that they took
   * @param gridSeconds what the experiment's repetitions of every candidate would have taken
   */
  public record Cost(int trials, String unit, double seconds, double gridSeconds) {
    private static Cost of(Experiment experiment, CandidatePool pool, TuneCourse course) {
      double trials = course.trials();
      return new Cost(
          (int) trials,
          experiment.unit(),
          course.seconds(),
          trials == 0
              ? 0
              : course.seconds()
                  / trials
                  * pool.candidates().size()
                  * experiment.loads().size()
                  * Math.max(experiment.repetitions(), 1));
    }

    /**
     * {@code 72 windows in 24 min; measuring every candidate would have taken 4 h}.
     *
     * @param every what would have taken the time of the grid
     */
    public String text(String every) {
      return "%d %ss in %s; %s would have taken %s"
          .formatted(
              trials, unit, DurationText.rough(seconds), every, DurationText.rough(gridSeconds));
    }
  }

  /**
   * One race.
   *
   * @param claim what the race claims
   * @param limits whether the limit of the goal is met, by load, as sentences
   * @param missing windows or trials without a valid result, as a sentence; empty if there are none
   * @param settings of the choice and of the set, by name and domain
   */
  public record RaceReport(
      @JsonUnwrapped Decider decider,
      Claim claim,
      @JsonUnwrapped Result result,
      Optional<Confirmation> confirmation,
      List<String> limits,
      String missing,
      Map<String, Map<String, String>> settings,
      @JsonUnwrapped Course course,
      @JsonUnwrapped Surface surface) {
    /** Returns whether a choice is claimed that may be relied on. */
    @JsonProperty
    public boolean confirmed() {
      return claim.confirmed();
    }
  }

  /**
   * What decides a race: a metric, in its unit, at loads that share the answer.
   *
   * @param metric its name
   */
  public record Decider(List<Load> loads, String metric, String unit) {}

  /**
   * How a race ended.
   *
   * @param set names of those that may be the best, where nothing more is shown
   * @param probability that the choice is within δ of the best, at least
   */
  public record Result(String choice, List<String> set, double probability, boolean decided) {}

  /** A race block by block, and who left it. */
  public record Course(List<RaceCourse.BlockState> path, List<RaceCourse.Left> departures) {}

  /**
   * The effects of the candidates, as simulated and as measured.
   *
   * @param agreement of both, as a sentence; empty without a simulation
   * @param lackOfFit p-value of the response surface; empty where none was fitted
   */
  public record Surface(String agreement, OptionalDouble lackOfFit, List<Point> points) {}

  /**
   * A candidate on the surface.
   *
   * @param point values of the knobs; empty of a listed profile
   * @param change relative to the settings found, as measured; {@code NaN} where only simulated
   * @param simulated relative to the settings found, as simulated; {@code NaN} where it was not
   */
  public record Point(
      String name, List<Double> point, int observations, double change, double simulated) {}

  /** The tune of a run; empty where it is none, or has not chosen its candidates yet. */
  public static Optional<TuneReport> of(RunEvidence evidence, Answer answer) {
    return evidence
        .course()
        .map(
            course ->
                of(
                    evidence.experiment(),
                    TuneRuns.pool(evidence.run().directory()).orElseThrow(),
                    course,
                    answer));
  }

  private static TuneReport of(
      Experiment experiment, CandidatePool pool, TuneCourse course, Answer answer) {
    List<RaceCourse> races = course.races();
    return new TuneReport(
        experiment.tuning().orElseThrow().goal().toString(),
        pool.premises(),
        pool.knobs().stream().map(knob -> knob.name()).toList(),
        pool.leftOut(),
        pool.candidates().size() - 1,
        Cost.of(experiment, pool, course),
        IntStream.range(0, races.size())
            .mapToObj(i -> race(pool, races.get(i), answer.claims().get(i)))
            .toList());
  }

  private static RaceReport race(CandidatePool pool, RaceCourse race, Claim claim) {
    Optional<Confirmation> confirmation = race.confirmation();
    List<String> set = race.answer().set().stream().map(race.names()::get).toList();
    String choice = confirmation.map(Confirmation::choice).orElseGet(race::choice);
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    List<String> shown = new ArrayList<>(set);
    if (!shown.contains(choice)) {
      shown.add(0, choice);
    }
    shown.forEach(
        name -> pool.named(name).ifPresent(one -> settings.put(name, settings(one.profile()))));
    return new RaceReport(
        new Decider(race.loads(), race.metric().name(), race.metric().unit()),
        claim,
        new Result(choice, set, race.answer().probability(), race.decided()),
        confirmation,
        race.limits().stream().map(check -> TuneSentences.limit(race, check)).toList(),
        TuneSentences.missing(race),
        settings,
        new Course(race.path(), race.departures()),
        new Surface(
            TuneSentences.agreement(race),
            new EffectSurface(race)
                .fit()
                .map(surface -> OptionalDouble.of(surface.lackOfFit()))
                .orElseGet(OptionalDouble::empty),
            points(pool, race)));
  }

  private static Map<String, String> settings(SchedulerProfile profile) {
    Map<String, String> texts = new LinkedHashMap<>();
    profile.byRole().forEach((role, one) -> texts.put(role.key(), ParametersText.of(one)));
    profile.byDomain().entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(one -> texts.put(one.getKey(), ParametersText.of(one.getValue())));
    return texts;
  }

  private static List<Point> points(CandidatePool pool, RaceCourse race) {
    Map<String, RaceCourse.Effect> effects = new HashMap<>();
    race.effects().forEach(effect -> effects.put(effect.name(), effect));
    OptionalDouble found = race.simulated(pool.candidates().get(0));
    List<Point> points = new ArrayList<>();
    for (Candidate one : pool.candidates()) {
      Optional<RaceCourse.Effect> effect = Optional.ofNullable(effects.get(one.name()));
      OptionalDouble simulated = race.simulated(one);
      boolean base = one.origin() == Candidate.Origin.FOUND;
      if (base || effect.isPresent() || simulated.isPresent()) {
        points.add(
            new Point(
                one.name(),
                one.point(),
                effect.map(RaceCourse.Effect::observations).orElse(0),
                base ? 0 : effect.map(RaceCourse.Effect::change).orElse(Double.NaN),
                simulated.isPresent() && found.isPresent()
                    ? simulated.getAsDouble() / found.getAsDouble() - 1
                    : Double.NaN));
      }
    }
    return points;
  }

  /** Returns the settings of a candidate by domain, as text. */
  public static String text(Map<String, String> settings) {
    return settings.isEmpty()
        ? "the settings found"
        : settings.entrySet().stream()
            .map(one -> one.getKey() + " " + one.getValue())
            .collect(Collectors.joining("; "));
  }

  /** The sentences of a tune's report. */
  static final class TuneSentences {
    private TuneSentences() {}

    /** {@code as-found at 50 users: p95 < 200 ms is not met: 213 ms (95 % CI 204 to 222)}. */
    static String limit(RaceCourse race, LimitCheck check) {
      String metric = race.metric().limited();
      String unit = check.highest() ? "ms" : "/s";
      return Phrase.of(
          "%s%s: %s %s %s %s %s: %s %s (%.0f %% CI %s to %s)",
          check.name(),
          loads(List.of(check.load())),
          metric,
          check.highest() ? "<" : ">",
          NumberText.of(check.limit()),
          unit,
          switch (check.outcome()) {
            case MET -> "is met";
            case NOT_MET -> "is not met";
            case UNDECIDED -> "is not decided";
          },
          NumberText.of(check.level()),
          unit,
          100 * race.confidence(),
          NumberText.of(check.low()),
          NumberText.of(check.high()));
    }

    /** {@code 3 windows have no valid result and are missing: web 512: 2 | as-found: 1}. */
    static String missing(RaceCourse race) {
      Map<String, Integer> missing = race.missing();
      int number = missing.values().stream().mapToInt(Integer::intValue).sum();
      return number == 0
          ? ""
          : "%d without a valid result: %s"
              .formatted(
                  number,
                  missing.entrySet().stream()
                      .map(one -> one.getKey() + ": " + one.getValue())
                      .collect(Collectors.joining(" | ")));
    }

    /** The rank correlation of simulated and measured effects; empty without a simulation. */
    static String agreement(RaceCourse race) {
      Optional<Correlation> agreement = race.agreement();
      return agreement
          .map(
              one ->
                  Phrase.of(
                      "simulated and measured effects of %d candidates: rank correlation %.2f (95 %%"
                          + " CI %.2f to %.2f), %s",
                      one.n(),
                      one.spearman(),
                      one.low(),
                      one.high(),
                      one.low() > 0.5
                          ? "so the simulation's choice of candidates is sound"
                          : "not shown above 0.5"
                              + (race.widened().isEmpty()
                                  ? ""
                                  : ", so discarded candidates were measured, too")))
          .orElse("");
    }

    private static String loads(List<Load> loads) {
      return Load.areNone(loads)
          ? ""
          : loads.stream().map(Load::text).collect(Collectors.joining(", ", " at ", ""));
    }
  }
}
