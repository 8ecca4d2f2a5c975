package io.slicewise.stats.capacity;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * What the models predict for each number of guests of a metric divided by its limit. The models
 * are of mean response times; a measured metric, such as a percentile, is taken to be as many times
 * the modelled mean as at the nearest numbers of guests that were measured, interpolated between
 * two.
 *
 * @param cost of a request
 * @param users of each guest
 * @param thinkSeconds between an answer and a user's next request
 * @param rate whether the metric is a rate of each guest, which must be above its limit, not a time
 * @param points what was measured, by number of guests
 */
public record Forecast(
    RequestCost cost,
    int users,
    double thinkSeconds,
    boolean rate,
    NavigableMap<Integer, Point> points) {

  /**
   * A measured number of guests.
   *
   * @param metric of the worst guest, divided by its limit
   * @param throughput of all guests, requests per second
   */
  public record Point(double metric, double throughput) {}

  public Forecast {
    points = new TreeMap<>(points);
  }

  /** Returns the metric by mean-value analysis, as all of these divided by its limit. */
  public double queueing(int guests) {
    return scaled(guests, this::modelled);
  }

  private double modelled(int guests) {
    List<MeanValueAnalysis> solved =
        MeanValueAnalysis.of(cost.network(guests), thinkSeconds, guests * users);
    MeanValueAnalysis all = solved.get(solved.size() - 1);
    return rate ? all.throughput() / guests : 1000 * all.response();
  }

  /**
   * Returns the least mean response time in milliseconds, or the highest rate of each guest, by
   * operational bounds: not divided by a limit.
   */
  public double bound(int guests) {
    Bounds bounds = Bounds.of(cost.network(guests), thinkSeconds, guests * users);
    return rate ? bounds.throughput() / guests : 1000 * bounds.response();
  }

  /** Returns the law fitted to the rates, if three numbers of guests or more were measured. */
  public Optional<ScalabilityLaw> law() {
    if (points.size() < 3) {
      return Optional.empty();
    }
    double[] sizes = points.keySet().stream().mapToDouble(Integer::doubleValue).toArray();
    double[] rates = points.values().stream().mapToDouble(Point::throughput).toArray();
    return Optional.of(ScalabilityLaw.fit(sizes, rates));
  }

  /** Returns the metric by the scalability law; {@code NaN} without one. */
  public double scalability(int guests) {
    return law().map(law -> scaled(guests, size -> of(law, size))).orElse(Double.NaN);
  }

  private double of(ScalabilityLaw law, int guests) {
    double throughput = law.rate(guests);
    return rate
        ? throughput / guests
        : Math.max(1, 1000 * (guests * users / throughput - thinkSeconds));
  }

  /** Returns the largest of these numbers whose predicted metric is inside the limit; 0 if none. */
  public int edge(Iterable<Integer> levels, IntToDoubleFunction metric) {
    int edge = 0;
    for (int guests : levels) {
      double value = metric.applyAsDouble(guests);
      if (rate ? value > 1 : value < 1) {
        edge = Math.max(edge, guests);
      } else {
        return edge;
      }
    }
    return edge;
  }

  /** Returns the largest of these numbers that fits by mean-value analysis; empty without data. */
  public OptionalInt edge(Iterable<Integer> levels) {
    return points.isEmpty() ? OptionalInt.empty() : OptionalInt.of(edge(levels, this::queueing));
  }

  private double scaled(int guests, IntToDoubleFunction model) {
    Map.Entry<Integer, Point> below = points.floorEntry(guests);
    Map.Entry<Integer, Point> above = points.ceilingEntry(guests);
    if (below != null && below.equals(above)) {
      return below.getValue().metric();
    }
    double factor;
    if (below == null || above == null) {
      Map.Entry<Integer, Point> nearest = below == null ? above : below;
      factor = nearest.getValue().metric() / model.applyAsDouble(nearest.getKey());
    } else {
      double low = below.getValue().metric() / model.applyAsDouble(below.getKey());
      double high = above.getValue().metric() / model.applyAsDouble(above.getKey());
      double share = (guests - below.getKey()) / (double) (above.getKey() - below.getKey());
      factor = Math.exp((1 - share) * Math.log(low) + share * Math.log(high));
    }
    return factor * model.applyAsDouble(guests);
  }
}
