package io.slicewise.workload.counters;

import com.fasterxml.jackson.databind.JsonNode;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Visible;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The raw samples of the time series of one selector, from before a window to its end. The growth
 * of a counter is its last sample in the window less its first one, over the time between their own
 * stamps: what happened outside of these is not guessed, as {@code increase()} does.
 *
 * @param selector as in the file
 */
record Samples(String selector, List<Series> all) {
  /** The widest buckets whose percentiles are read. */
  static final double FINEST = 1.1;

  /** The longest time between two samples, in intervals. */
  private static final double HOLE = 1.5;

  private static final int FEWEST = 3;
  private static final int SHOWN = 100;
  private static final double BEYOND = 10;
  private static final double ROUNDING = 1e-9;

  /**
   * A time series.
   *
   * @param bound the upper bound of a histogram's bucket; {@code NaN} if it has none
   * @param at the stamps in seconds since 1970, by the server's clock, in order
   */
  @SuppressWarnings("ArrayRecordComponent") // Nobody compares them.
  record Series(String labels, double bound, double[] at, double[] values) {
    /** Returns the median time between two samples; {@code NaN} of fewer than three. */
    double interval() {
      double[] between =
          IntStream.range(1, at.length).mapToDouble(i -> at[i] - at[i - 1]).sorted().toArray();
      return at.length < FEWEST ? Double.NaN : between[between.length / 2];
    }
  }

  /**
   * By how much a series grew.
   *
   * @param seconds between the stamps of both samples
   */
  private record Grown(double bound, double growth, double seconds) {}

  Samples {
    all = List.copyOf(all);
  }

  /** Returns the samples of the server's answer to a range selector. */
  static Samples of(String selector, JsonNode result) {
    List<Series> all = new ArrayList<>();
    for (JsonNode one : result) {
      JsonNode values = one.path("values");
      double[] at = new double[values.size()];
      double[] read = new double[values.size()];
      for (int i = 0; i < at.length; i++) {
        at[i] = values.get(i).path(0).asDouble(Double.NaN);
        read[i] = number(values.get(i).path(1).asText());
      }
      String bound = one.path("metric").path("le").asText();
      all.add(
          new Series(
              one.path("metric").toString(),
              bound.isEmpty() ? Double.NaN : number(bound),
              at,
              read));
    }
    return new Samples(selector, all);
  }

  private static double number(String text) {
    try {
      return text.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(text);
    } catch (NumberFormatException none) {
      return Double.NaN;
    }
  }

  /** Returns the longest interval of a series; {@code NaN} if none is known. */
  double interval() {
    return all.stream()
        .mapToDouble(Series::interval)
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }

  /**
   * Returns why a percentile cannot be read from these series: their buckets are wider than a tenth
   * of their bound, so that where in its bucket a request was decides more than its duration.
   */
  Optional<String> tooCoarse() {
    double[] bounds =
        all.stream()
            .mapToDouble(Series::bound)
            .filter(bound -> bound > 0 && Double.isFinite(bound))
            .distinct()
            .sorted()
            .toArray();
    if (bounds.length < 2) {
      return Optional.of("%s has no buckets (le)".formatted(selector));
    }
    return IntStream.range(1, bounds.length)
        .filter(i -> bounds[i] / bounds[i - 1] > FINEST + ROUNDING)
        .boxed()
        .findFirst()
        .map(
            i ->
                Phrase.of(
                    "the buckets of %s are up to %.0f %% wide (%s to %s), and a percentile may be off"
                        + " by as much: give the histogram buckets of at most 10 %%, or use the mean"
                        + " (growth: ..._sum, per: ..._count)",
                    selector, widest(bounds), text(bounds[i - 1]), text(bounds[i])));
  }

  private static double widest(double[] bounds) {
    return IntStream.range(1, bounds.length)
        .mapToDouble(i -> 100 * (bounds[i] / bounds[i - 1] - 1))
        .max()
        .orElse(0);
  }

  /** Returns the growth of all series together in a second; {@code NaN} if it is not known. */
  double perSecond(double start, double end, List<String> faults) {
    List<Grown> grown = grown(start, end, faults);
    return grown.isEmpty()
        ? Double.NaN
        : grown.stream().mapToDouble(one -> one.growth / one.seconds).sum();
  }

  /** Returns the growth of all series together; {@code NaN} if it is not known. */
  double total(double start, double end, List<String> faults) {
    List<Grown> grown = grown(start, end, faults);
    return grown.isEmpty() ? Double.NaN : grown.stream().mapToDouble(Grown::growth).sum();
  }

  /** Returns a percentile of a histogram, linear inside its bucket; {@code NaN} if unknown. */
  double percentile(int percent, double start, double end, List<String> faults) {
    Optional<String> coarse = tooCoarse();
    if (coarse.isPresent()) {
      faults.add(coarse.get());
      return Double.NaN;
    }
    Map<Double, Double> counts = new TreeMap<>();
    grown(start, end, faults).forEach(one -> counts.merge(one.bound, one.growth, Double::sum));
    double all = counts.getOrDefault(Double.POSITIVE_INFINITY, Double.NaN);
    if (!(all * (100 - percent) / 100 >= BEYOND)) {
      if (!counts.isEmpty()) {
        faults.add("%s counted too few for its percentile %d".formatted(selector, percent));
      }
      return Double.NaN;
    }
    double rank = all * percent / 100;
    double lower = Double.NaN;
    double before = 0;
    for (Map.Entry<Double, Double> bucket : counts.entrySet()) {
      double upper = bucket.getKey();
      double below = bucket.getValue();
      if (below >= rank) {
        if (Double.isNaN(lower) || Double.isInfinite(upper)) {
          break;
        }
        return lower + (upper - lower) * (rank - before) / (below - before);
      }
      lower = upper;
      before = below;
    }
    faults.add(
        "percentile %d is outside of the buckets of %s between the first and the last bound"
            .formatted(percent, selector));
    return Double.NaN;
  }

  /** Returns the growth of each series; empty, with the reason among the faults, if one is void. */
  private List<Grown> grown(double start, double end, List<String> faults) {
    if (all.isEmpty()) {
      faults.add("%s has no sample".formatted(selector));
      return List.of();
    }
    List<Grown> grown = new ArrayList<>();
    for (Series series : all) {
      Optional<String> fault = fault(series, start, end);
      if (fault.isPresent()) {
        if (!faults.contains(fault.get())) {
          faults.add(fault.get());
        }
        return List.of();
      }
      int first = from(series, start);
      int last = until(series, end);
      grown.add(
          new Grown(
              series.bound,
              series.values[last] - series.values[first],
              series.at[last] - series.at[first]));
    }
    return grown;
  }

  private static int from(Series series, double start) {
    int place = Arrays.binarySearch(series.at, start);
    return place >= 0 ? place : -place - 1;
  }

  private static int until(Series series, double end) {
    int place = Arrays.binarySearch(series.at, end);
    return place >= 0 ? place : -place - 2;
  }

  /** Returns why the growth of a series in a window is not known, as a clause. */
  private Optional<String> fault(Series series, double start, double end) {
    double interval = series.interval();
    if (Double.isNaN(interval)) {
      return Optional.of(
          "%s has fewer than %d samples (%s)".formatted(selector, FEWEST, shown(series)));
    }
    int first = from(series, start);
    int last = until(series, end);
    double hole = hole(series, start, end);
    if (hole > HOLE * interval) {
      return Optional.of(
          Phrase.of(
              "%s was not read for %.1f s, and is usually read every %.1f s (%s)",
              selector, hole, interval, shown(series)));
    }
    if (last <= first) {
      return Optional.of(
          Phrase.of(
              "%s is read every %.1f s, too rarely for a window of %.1f s: lengthen 'window' of"
                  + " design to %.0fs or more",
              selector, interval, end - start, Math.ceil(2 * interval)));
    }
    for (int i = first; i <= last; i++) {
      if (!Double.isFinite(series.values[i])) {
        return Optional.of("%s has a value that is no number".formatted(selector));
      }
      if (i > first && series.values[i] < series.values[i - 1]) {
        return Optional.of(
            "%s was reset: it fell from %s to %s (%s)"
                .formatted(
                    selector, text(series.values[i - 1]), text(series.values[i]), shown(series)));
      }
    }
    return Optional.empty();
  }

  /** Returns the longest time in a window without a sample, ends included. */
  private static double hole(Series series, double start, double end) {
    int first = from(series, start);
    int last = until(series, end);
    if (last < first) {
      return end - start;
    }
    double longest = Math.max(series.at[first] - start, end - series.at[last]);
    for (int i = first + 1; i <= last; i++) {
      longest = Math.max(longest, series.at[i] - series.at[i - 1]);
    }
    return longest;
  }

  /** Returns the samples inside a window, line by line. */
  String lines(double start, double end) {
    StringBuilder lines = new StringBuilder();
    for (Series series : all) {
      for (int i = Math.max(0, from(series, start)); i <= until(series, end); i++) {
        lines
            .append(Visible.line(series.labels))
            .append(Phrase.of("\t%.3f\t", series.at[i]))
            .append(series.values[i])
            .append('\n');
      }
    }
    return lines.toString();
  }

  private static String shown(Series series) {
    String line = Visible.line(series.labels);
    return line.length() > SHOWN ? line.substring(0, SHOWN) + "…" : line;
  }

  private static String text(double value) {
    return Phrase.of(value == Math.rint(value) ? "%.0f" : "%.6g", value);
  }
}
