package io.slicewise.evidence.study;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Axis;
import io.slicewise.experiment.Experiment;
import io.slicewise.run.Measured;
import io.slicewise.run.TrialResult;
import io.slicewise.stats.capacity.Forecast;
import io.slicewise.stats.capacity.RequestCost;
import io.slicewise.stats.capacity.Verdict;
import io.slicewise.tune.capacity.EdgeCourse;
import io.slicewise.tune.capacity.GuestLevel;
import io.slicewise.tune.capacity.ProfileCurve;
import io.slicewise.tune.capacity.TileResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;
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
  private static final double CONFIDENCE = 0.95;
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
   * @param first the tile that breaks first, as a phrase; empty if none is known
   * @param predicted by mean-value analysis from the smallest number alone; empty without CPU times
   * @param limit the resource that limits the guests, as a phrase; empty if unknown
   * @param ratio vCPUs of the guests that fit for each pCPU; {@code NaN} if unknown
   */
  public record Edge(
      String profile,
      OptionalInt fits,
      OptionalInt breaks,
      boolean found,
      String first,
      OptionalInt predicted,
      String limit,
      double ratio) {}

  /**
   * A number of guests under a profile.
   *
   * @param worst the tile that decides
   * @param queueing the metric by mean-value analysis of all that was measured; {@code NaN} if
   *     unknown
   * @param law the metric by the scalability law; {@code NaN} if unknown
   * @param bound the least mean time or highest rate of each guest by operational bounds
   * @param busy the part of its time, 0 to 1, that the limiting resource works
   */
  public record Row(
      String profile,
      int guests,
      int trials,
      @JsonIgnore TileResult worst,
      Verdict verdict,
      double throughput,
      double queueing,
      double law,
      double bound,
      double busy) {
    /** Returns the tile's name. */
    public String tile() {
      return worst.tile();
    }

    /** Returns the metric of the tile and its limit. */
    public String goal() {
      return worst.goal().toString();
    }

    /** Returns the ends and the middle of the tile's interval. */
    public List<Double> metric() {
      return List.of(worst.estimate().low(), worst.estimate().mean(), worst.estimate().high());
    }
  }

  /**
   * Returns the study of a run, searched or as a full grid.
   *
   * @throws SlicewiseException if the run has no numbers of guests, or no goal with a limit
   */
  public static ConsolidationStudy of(Experiment experiment, List<TrialResult> results) {
    refuse(experiment);
    List<Measured> measured = results.stream().map(Measured::of).toList();
    EdgeCourse course = new EdgeCourse(experiment, measured);
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
      curve
          .first()
          .ifPresent(
              model ->
                  predictions.put(
                      curve.profile(),
                      IntStream.rangeClosed(1, course.levels().last())
                          .mapToObj(guests -> limit(curve) * model.queueing(guests))
                          .toList()));
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
    for (String tile : experiment.loaded(experiment.loads().get(experiment.loads().size() - 1))) {
      if (experiment.goal(tile).filter(goal -> goal.limit().isPresent()).isEmpty()) {
        throw SlicewiseException.input(
            "tile %s of %s has no goal with a limit".formatted(tile, experiment.name()),
            "set 'goal: p95 < 200ms' of the experiment, or a 'goal' of the guest");
      }
    }
  }

  private static Edge edge(ProfileCurve curve) {
    OptionalInt fits = curve.search().fits();
    OptionalInt breaks = curve.search().breaks();
    Optional<RequestCost> cost = curve.forecast().map(Forecast::cost);
    int where = breaks.orElse(fits.orElse(curve.levels().get(0).guests()));
    return new Edge(
        curve.profile(),
        fits,
        breaks,
        curve.search().found(),
        breaks.isPresent()
            ? curve.level(breaks.getAsInt()).map(level -> value(level.worst())).orElse("")
            : "",
        curve.predicted().map(OptionalInt::of).orElse(OptionalInt.empty()),
        limit(curve, where),
        cost.map(known -> known.ratio(fits.orElse(0))).orElse(Double.NaN));
  }

  /** Returns the limit of the tile that decides with the most guests measured. */
  private static double limit(ProfileCurve curve) {
    return curve.levels().stream()
        .filter(level -> !level.tiles().isEmpty())
        .reduce((before, last) -> last)
        .map(level -> level.worst().goal().limit().orElseThrow())
        .orElse(Double.NaN);
  }

  /** Names the resource that is busy at the edge; something else limits guests if none is. */
  private static String limit(ProfileCurve curve, int guests) {
    return curve
        .limiting(guests)
        .map(
            name ->
                curve.busy(guests) < BUSY
                    ? Phrase.of(
                        "no CPU (the busiest, %s, works %.0f %%)", name, 100 * curve.busy(guests))
                    : name)
        .orElse("");
  }

  private static List<Row> rows(ProfileCurve curve) {
    List<Row> rows = new ArrayList<>();
    for (GuestLevel level : curve.levels()) {
      if (!level.tiles().isEmpty()) {
        int guests = level.guests();
        double limit = level.worst().goal().limit().orElseThrow();
        Optional<Forecast> models = curve.forecast();
        rows.add(
            new Row(
                curve.profile(),
                guests,
                level.trials(),
                level.worst(),
                level.verdict(),
                level.throughput(),
                models.map(model -> limit * model.queueing(guests)).orElse(Double.NaN),
                models.map(model -> limit * model.scalability(guests)).orElse(Double.NaN),
                models.map(model -> model.bound(guests)).orElse(Double.NaN),
                models.isPresent() ? curve.busy(guests) : Double.NaN));
      }
    }
    return rows;
  }

  private static String answer(
      List<Edge> edges, List<ProfileCurve> curves, NavigableSet<Integer> levels) {
    if (edges.isEmpty()) {
      return "nothing was measured";
    }
    List<String> fit = new ArrayList<>();
    for (Edge edge : edges) {
      if (edge.fits().isPresent()) {
        int guests = edge.fits().getAsInt();
        fit.add(
            guests == levels.last()
                ? "all %d guests fit with %s".formatted(guests, edge.profile())
                : "%d %s with %s"
                    .formatted(guests, guests == 1 ? "guest fits" : "guests fit", edge.profile()));
      } else {
        fit.add(none(edge, curve(curves, edge), levels));
      }
    }
    List<String> parts = new ArrayList<>(List.of(String.join(", ", fit) + " (95 %)"));
    Edge best = edges.get(0);
    if (best.fits().isPresent()) {
      next(best, curve(curves, best), levels).ifPresent(parts::add);
    }
    if (!best.limit().isEmpty() && best.breaks().isPresent()) {
      parts.add("limited by " + best.limit());
    }
    if (best.ratio() > 0) {
      parts.add(Phrase.of("%.2f vCPUs per pCPU", best.ratio()));
    }
    return String.join("; ", parts);
  }

  private static ProfileCurve curve(List<ProfileCurve> curves, Edge edge) {
    return curves.stream()
        .filter(curve -> curve.profile().equals(edge.profile()))
        .findFirst()
        .orElseThrow();
  }

  /** Describes a profile with which no number is known to fit. */
  private static String none(Edge edge, ProfileCurve curve, NavigableSet<Integer> levels) {
    int least = levels.first();
    String guests = least == 1 ? "1 guest" : least + " guests";
    if (edge.breaks().equals(OptionalInt.of(least))) {
      return "even %s breaks the limit with %s: %s".formatted(guests, edge.profile(), edge.first());
    }
    return "whether %s fits with %s is not decided%s"
        .formatted(
            guests,
            edge.profile(),
            curve
                .level(least)
                .filter(level -> !level.tiles().isEmpty())
                .map(level -> ": " + value(level.worst()))
                .orElse(""));
  }

  /** Describes what happens beyond the guests that fit. */
  private static Optional<String> next(
      Edge edge, ProfileCurve curve, NavigableSet<Integer> levels) {
    int fits = edge.fits().getAsInt();
    Integer after = new TreeSet<>(levels).higher(fits);
    if (after == null) {
      return Optional.empty();
    }
    if (edge.breaks().equals(OptionalInt.of(after))) {
      return Optional.of("the %s breaks %s".formatted(ordinal(after), edge.first()));
    }
    String open =
        curve
            .level(after)
            .filter(level -> !level.tiles().isEmpty())
            .map(level -> "%d is not decided: %s".formatted(after, value(level.worst())))
            .orElse("%d was not measured".formatted(after));
    return Optional.of(
        edge.breaks().isPresent()
            ? "%s; %d do not fit".formatted(open, edge.breaks().getAsInt())
            : open);
  }

  private static String ordinal(int number) {
    return number <= ORDINALS.size() ? ORDINALS.get(number - 1) : number + "th";
  }

  /** Returns a tile's metric, its interval and its limit as a phrase. */
  static String value(TileResult tile) {
    String unit = tile.goal().lowest() ? "ms" : "/s";
    return "%s of %s: %s %s [%s, %s], limit %s %s"
        .formatted(
            tile.goal().metric(),
            tile.tile(),
            number(tile.estimate().mean()),
            unit,
            number(tile.estimate().low()),
            number(tile.estimate().high()),
            number(tile.goal().limit().orElse(Double.NaN)),
            unit);
  }

  /** Returns a number with three digits, and a whole one without decimals. */
  private static String number(double value) {
    return Phrase.of(value >= 100 || value == Math.rint(value) ? "%.0f" : "%.1f", value);
  }

  /** Returns the confidence of each interval. */
  public double confidence() {
    return CONFIDENCE;
  }
}
