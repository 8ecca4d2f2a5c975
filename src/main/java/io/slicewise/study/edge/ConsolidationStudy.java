package io.slicewise.study.edge;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.load.Axis;
import io.slicewise.run.result.Measured;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import io.slicewise.stats.capacity.EdgeSearch.Verdict;
import io.slicewise.stats.capacity.Forecast;
import io.slicewise.study.edge.EdgeCourse.ProfileCurve;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * How many guests fit, for each profile: what was measured, what limits them, and what the models
 * predicted.
 *
 * @param answer in one sentence
 * @param edges by profile, the most guests first
 * @param levels what was measured, by profile and number of guests
 * @param predictions the metric of 1, 2, … guests by mean-value analysis from the smallest number
 *     alone, by profile
 * @param cost of the search, compared with the full grid
 */
public record ConsolidationStudy(
    String answer,
    List<Edge> edges,
    List<Row> levels,
    Map<String, List<Double>> predictions,
    EdgeCourse.Cost cost) {
  private static final double BUSY = 0.7;
  private static final List<String> ORDINALS =
      List.of(
          "first",
          "second",
          "third",
          "fourth",
          "fifth",
          "sixth",
          "seventh",
          "eighth",
          "ninth",
          "tenth",
          "eleventh",
          "twelfth");

  public ConsolidationStudy {
    edges = List.copyOf(edges);
    levels = List.copyOf(levels);
    predictions = Collections.unmodifiableMap(new LinkedHashMap<>(predictions));
  }

  /**
   * The edge of a profile.
   *
   * @param fits the largest number that fits; empty if none is known to
   * @param breaks the smallest number that does not; empty if none is known not to
   * @param found whether both are neighbours, or all guests fit
   * @param beyond the tile farthest beyond its limit with as many as do not fit, as a phrase; empty
   *     if no number is known not to fit
   * @param predicted by mean-value analysis from the smallest number alone; empty without CPU times
   * @param limit the resource that limits as many as do not fit, by what was measured with them, as
   *     a phrase; empty if unknown
   * @param ratio vCPUs of the guests that fit for each pCPU; {@code NaN} if unknown
   */
  public record Edge(
      String profile,
      OptionalInt fits,
      OptionalInt breaks,
      boolean found,
      String beyond,
      OptionalInt predicted,
      String limit,
      double ratio) {}

  /**
   * A number of guests under a profile.
   *
   * @param worst the tile that decides
   * @param verdict not decided as long as its trials are not over
   * @param busy the part of its time, 0 to 1, that the busiest resource works
   */
  public record Row(
      String profile,
      int guests,
      int trials,
      @JsonIgnore TileResult worst,
      Verdict verdict,
      double throughput,
      @JsonUnwrapped Models models,
      double busy) {
    /** Returns the tile's name. */
    public String tile() {
      return worst.tile();
    }

    /** Returns the ends and the middle of the tile's interval. */
    public List<Double> metric() {
      return List.of(worst.estimate().low(), worst.estimate().mean(), worst.estimate().high());
    }
  }

  /**
   * The metric of a number of guests by models of all that was measured; {@code NaN} if unknown.
   *
   * @param queueing by mean-value analysis
   * @param law by the scalability law
   * @param bound the least mean time or highest rate of each guest by operational bounds
   */
  public record Models(double queueing, double law, double bound) {
    private static final Models NONE = new Models(Double.NaN, Double.NaN, Double.NaN);
  }

  /**
   * Returns the study of a run, searched or as a full grid.
   *
   * @throws SlicewiseException if the run has no numbers of guests, or no goal with a limit
   */
  public static ConsolidationStudy of(Experiment experiment, List<TrialResult> results) {
    refuse(experiment);
    return of(new EdgeCourse(experiment, results.stream().map(Measured::of).toList()));
  }

  /** Returns the study of a search, over or not. */
  static ConsolidationStudy of(EdgeCourse course) {
    List<ProfileCurve> curves =
        course.curves().stream().filter(curve -> !curve.levels().isEmpty()).toList();
    List<Edge> edges =
        curves.stream()
            .map(ConsolidationStudy::edge)
            .sorted(Comparator.comparingInt((Edge edge) -> -edge.fits().orElse(0)))
            .toList();
    List<Row> rows = curves.stream().flatMap(curve -> rows(curve).stream()).toList();
    Map<String, List<Double>> predictions = new LinkedHashMap<>();
    for (ProfileCurve curve : curves) {
      OptionalDouble limit = limit(curve);
      if (curve.first().isPresent() && limit.isPresent()) {
        Forecast model = curve.first().get();
        predictions.put(
            curve.profile(),
            IntStream.rangeClosed(1, course.levels().last())
                .mapToObj(guests -> limit.getAsDouble() * model.queueing(guests))
                .toList());
      }
    }
    return new ConsolidationStudy(
        answer(edges, curves, course.levels()), edges, rows, predictions, course.cost());
  }

  private static void refuse(Experiment experiment) {
    if (experiment.levels(Axis.GUESTS).isEmpty()) {
      throw SlicewiseException.input(
          experiment.name() + " does not sweep how many guests are loaded",
          "list numbers in the experiment, such as 'guests: 1..8'");
    }
    experiment
        .goals(experiment.loads().get(experiment.loads().size() - 1))
        .forEach(
            (tile, goal) -> {
              if (goal.filter(its -> its.limit().isPresent()).isEmpty()) {
                throw SlicewiseException.input(
                    "tile %s of %s has no goal with a limit".formatted(tile, experiment.name()),
                    "set 'goal: p95 < 200ms' of the experiment, or a 'goal' of the guest");
              }
            });
  }

  private static Edge edge(ProfileCurve curve) {
    OptionalInt fits = curve.search().fits();
    OptionalInt breaks = curve.search().breaks();
    Optional<GuestLevel> broken = at(curve, breaks);
    return new Edge(
        curve.profile(),
        fits,
        breaks,
        curve.search().found(),
        broken.map(level -> value(level)).orElse(""),
        curve.predicted().map(OptionalInt::of).orElse(OptionalInt.empty()),
        broken.flatMap(ConsolidationStudy::limiting).orElse(""),
        at(curve, fits).map(GuestLevel::ratio).orElse(Double.NaN));
  }

  private static Optional<GuestLevel> at(ProfileCurve curve, OptionalInt guests) {
    return guests.isPresent() ? curve.level(guests.getAsInt()) : Optional.empty();
  }

  /** Returns the limit of all tiles; empty if they differ, and one line cannot be drawn. */
  private static OptionalDouble limit(ProfileCurve curve) {
    List<Aim.Goal> goals =
        curve.levels().stream()
            .flatMap(level -> level.tiles().stream())
            .map(TileResult::goal)
            .distinct()
            .toList();
    return goals.size() == 1
        ? OptionalDouble.of(goals.get(0).limit().orElseThrow())
        : OptionalDouble.empty();
  }

  /** Names the resource that is busy with that many guests; something else limits if none is. */
  private static Optional<String> limiting(GuestLevel level) {
    return level
        .busiest()
        .map(
            use ->
                use.part() < BUSY
                    ? held(level)
                        .orElse(
                            Phrase.of(
                                "no CPU (the busiest, %s, %.0f %% of the time)",
                                use.resource(), 100 * use.part()))
                    : Phrase.of("%s (busy %.0f %% of the time)", use.resource(), 100 * use.part()));
  }

  /** Describes the CPU time that the tile that decides did not get, though the host had some. */
  private static Optional<String> held(GuestLevel level) {
    String tile = level.worst().tile();
    return Optional.ofNullable(level.wanted().get(tile))
        .filter(one -> one.run() + one.held() >= BUSY)
        .map(
            one ->
                Phrase.of(
                    "the CPU time that %s gets (it ran %.0f %% of the time, and for %.0f %% it waited"
                        + " for a pCPU or was capped)",
                    tile, 100 * one.run(), 100 * one.held()));
  }

  private static List<Row> rows(ProfileCurve curve) {
    List<Row> rows = new ArrayList<>();
    for (GuestLevel level : curve.levels()) {
      if (!level.tiles().isEmpty()) {
        int guests = level.guests();
        double limit = level.worst().goal().limit().orElseThrow();
        rows.add(
            new Row(
                curve.profile(),
                guests,
                level.trials(),
                level.worst(),
                curve.verdict(guests),
                level.throughput(),
                curve
                    .forecast()
                    .map(
                        model ->
                            new Models(
                                limit * model.queueing(guests),
                                limit * model.scalability(guests),
                                model.bound(guests)))
                    .orElse(Models.NONE),
                level.busiest().map(GuestLevel.Use::part).orElse(Double.NaN)));
      }
    }
    return rows;
  }

  private static String answer(
      List<Edge> edges, List<ProfileCurve> curves, NavigableSet<Integer> levels) {
    if (edges.isEmpty()) {
      return "nothing was measured";
    }
    List<String> parts = new ArrayList<>();
    for (Edge edge : edges) {
      ProfileCurve curve = curve(curves, edge);
      parts.add(edge.fits().isPresent() ? fitting(edge, curve, levels) : none(edge, curve, levels));
      contradiction(edge, curve).ifPresent(parts::add);
    }
    Edge best = edges.get(0);
    if (!best.limit().isEmpty()) {
      parts.add(
          "with %s, %s limited by %s"
              .formatted(best.profile(), are(best.breaks().getAsInt()), best.limit()));
    }
    if (best.ratio() > 0) {
      parts.add(
          Phrase.of("%s: %.2f vCPUs per pCPU", counted(best.fits().getAsInt()), best.ratio()));
    }
    return String.join("; ", parts);
  }

  private static ProfileCurve curve(List<ProfileCurve> curves, Edge edge) {
    return curves.stream()
        .filter(curve -> curve.profile().equals(edge.profile()))
        .findFirst()
        .orElseThrow();
  }

  private static String counted(int guests) {
    return guests == 1 ? "1 guest" : guests + " guests";
  }

  private static String are(int guests) {
    return counted(guests) + (guests == 1 ? " is" : " are");
  }

  /** Describes a profile with which some guests fit, and what the next number does. */
  private static String fitting(Edge edge, ProfileCurve curve, NavigableSet<Integer> levels) {
    int fits = edge.fits().getAsInt();
    String head =
        "%s %s with %s".formatted(counted(fits), fits == 1 ? "fits" : "fit", edge.profile());
    Integer after = levels.higher(fits);
    if (after == null) {
      return head + ", the most that were to be measured";
    }
    if (!edge.breaks().equals(OptionalInt.of(after))) {
      return "%s, and %s%s".formatted(head, open(curve, after), broken(edge));
    }
    return after == fits + 1
        ? "%s, and the %s does not: %s".formatted(head, ordinal(after), edge.beyond())
        : "%s, and %d do not: %s (none between was to be measured)"
            .formatted(head, after, edge.beyond());
  }

  /** Describes a profile with which no number is known to fit. */
  private static String none(Edge edge, ProfileCurve curve, NavigableSet<Integer> levels) {
    int least = levels.first();
    if (edge.breaks().equals(OptionalInt.of(least))) {
      return "even %s %s the limit with %s: %s"
          .formatted(
              counted(least), least == 1 ? "breaks" : "break", edge.profile(), edge.beyond());
    }
    return "none is known to fit with %s: %s%s"
        .formatted(edge.profile(), open(curve, least), broken(edge));
  }

  /** Describes a number of guests without a verdict. */
  private static String open(ProfileCurve curve, int guests) {
    return curve
        .level(guests)
        .map(
            level ->
                level.tiles().isEmpty()
                    ? "no trial of %s counts".formatted(counted(guests))
                    : "%s %s not decided: %s"
                        .formatted(counted(guests), guests == 1 ? "is" : "are", value(level)))
        .orElse("%s %s not measured".formatted(counted(guests), guests == 1 ? "was" : "were"));
  }

  /** Names the smallest number that does not fit, where it is not the next one. */
  private static String broken(Edge edge) {
    return edge.breaks().isPresent()
        ? ", and %d do not fit: %s".formatted(edge.breaks().getAsInt(), edge.beyond())
        : "";
  }

  /** Describes numbers that fit although smaller ones do not. */
  private static Optional<String> contradiction(Edge edge, ProfileCurve curve) {
    List<Integer> above =
        edge.breaks().isEmpty()
            ? List.of()
            : curve.search().verdicts().tailMap(edge.breaks().getAsInt()).entrySet().stream()
                .filter(level -> level.getValue() == Verdict.FITS)
                .map(Map.Entry::getKey)
                .toList();
    return above.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "yet %s met the limit with %s, so something else than the number of guests matters"
                .formatted(counted(above.get(0)), edge.profile()));
  }

  private static String ordinal(int number) {
    return number <= ORDINALS.size() ? ORDINALS.get(number - 1) : "guest number " + number;
  }

  /** Returns the metric of the tile that decides, its interval and its limit as a phrase. */
  private static String value(GuestLevel level) {
    TileResult tile = level.worst();
    String unit = tile.goal().lowest() ? "ms" : "/s";
    Estimate estimate = tile.estimate();
    String limit = number(tile.goal().limit().orElse(Double.NaN));
    String of = "%s of %s".formatted(tile.goal().metric(), tile.tile());
    if (!Double.isFinite(estimate.mean())) {
      return "%s is not known in any of %s, limit %s %s"
          .formatted(of, Plural.of(level.trials(), "trial"), limit, unit);
    }
    return "%s: %s %s %s, limit %s %s%s"
        .formatted(
            of,
            number(estimate.mean()),
            unit,
            Double.isFinite(estimate.low())
                ? "[%s, %s]".formatted(number(estimate.low()), number(estimate.high()))
                : "(from one trial, so without an interval)",
            limit,
            unit,
            estimate.n() < level.trials()
                ? ", known in %d of %s".formatted(estimate.n(), Plural.of(level.trials(), "trial"))
                : "");
  }

  /** Returns a number with three digits, and a whole one without decimals. */
  private static String number(double value) {
    return Phrase.of(value >= 100 || value == Math.rint(value) ? "%.0f" : "%.1f", value);
  }
}
