package io.slicewise.report.page;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.slicewise.experiment.Trial;
import io.slicewise.experiment.load.Load;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.observe.BySecond;
import io.slicewise.observe.Observation.Series;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.TrialResult;
import io.slicewise.stats.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The trials as listed on the page.
 *
 * @param step seconds per point of a series
 * @param labels names of requests, listed once
 * @param sentences reasons and warnings, listed once
 * @param labelsKept whether trials include their labels; too many are left out
 */
record TrialRows(
    int step, List<String> labels, boolean labelsKept, List<String> sentences, List<Row> rows) {
  /** The maximum number of label lines over all trials, to limit the page's size. */
  private static final int MOST_LABEL_LINES = 4_000;

  /**
   * A trial.
   *
   * @param metrics throughput, mean, p50, p95, p99 and the share of failed requests
   * @param why indices of its sentences; the first {@code reasons} are reasons, the rest warnings
   * @param labels {@code [label, samples, failed, throughput, mean, p95]} each
   */
  record Row(
      @JsonUnwrapped Slot slot,
      boolean valid,
      @JsonUnwrapped Times times,
      List<Double> metrics,
      List<Integer> why,
      int reasons,
      List<List<Double>> labels,
      Lines lines) {}

  /**
   * What was to be measured, and when in the plan.
   *
   * @param place of a window: its session, block in it, and position in the block; empty of a trial
   */
  record Slot(int number, int profile, int load, int block, List<Integer> place) {}

  /**
   * When it was measured.
   *
   * @param start of the window
   * @param warmUp seconds of load before the window, not counted; a window's wash-out
   * @param length of the window in seconds
   */
  record Times(String start, double warmUp, double length) {}

  /**
   * The time series of a trial: requests a second, the highest p95 of the seconds in a point,
   * failed requests (empty when none failed), and for each domain run and waiting in thousandths of
   * its vCPU time.
   */
  record Lines(
      List<Double> rate,
      List<Double> p95,
      List<Long> failed,
      Map<Integer, List<List<Integer>>> shares) {}

  static TrialRows of(
      List<TrialResult> results, List<String> profiles, List<Load> loads, List<String> domains) {
    int step = SeriesStep.of(results);
    long lines =
        results.stream().flatMap(r -> r.load().stream()).mapToLong(l -> l.labels().size()).sum();
    boolean keep = lines <= MOST_LABEL_LINES;
    Map<String, Integer> labels = new LinkedHashMap<>();
    Map<String, Integer> sentences = new LinkedHashMap<>();
    List<Row> rows = new ArrayList<>();
    for (TrialResult result : results) {
      rows.add(
          new Row(
              slot(result.trial(), profiles, loads),
              result.valid(),
              new Times(
                  result.window().start().toString(),
                  Rounding.rough(result.warmUp().seconds()),
                  Rounding.exact(result.window().seconds())),
              result.load().map(TrialRows::metrics).orElse(List.of()),
              reasons(result, sentences),
              result.reasons().size(),
              keep ? labels(result, labels) : List.of(),
              lines(result, step, domains)));
    }
    return new TrialRows(
        step, List.copyOf(labels.keySet()), keep, List.copyOf(sentences.keySet()), rows);
  }

  private static Slot slot(Trial trial, List<String> profiles, List<Load> loads) {
    return new Slot(
        trial.number(),
        profiles.indexOf(trial.profile()),
        loads.indexOf(trial.load()),
        trial.block(),
        trial
            .place()
            .map(where -> List.of(where.session(), where.block(), where.position()))
            .orElse(List.of()));
  }

  private static List<Double> metrics(LoadResult load) {
    return List.of(
        Rounding.exact(load.throughput()),
        Rounding.exact(load.meanMillis()),
        Rounding.exact(load.p50Millis()),
        Rounding.exact(load.p95Millis()),
        Rounding.exact(load.p99Millis()),
        load.samples() == 0
            ? Double.NaN
            : Rounding.exact((double) load.failed() / (double) load.samples()));
  }

  private static List<Integer> reasons(TrialResult result, Map<String, Integer> sentences) {
    List<String> all = new ArrayList<>(result.reasons());
    all.addAll(result.warnings());
    return all.stream().map(sentence -> place(sentences, sentence)).toList();
  }

  private static int place(Map<String, Integer> places, String name) {
    return places.computeIfAbsent(name, any -> places.size());
  }

  private static List<List<Double>> labels(TrialResult result, Map<String, Integer> places) {
    List<LoadResult> labels = result.load().map(LoadResult::labels).orElse(List.of());
    return labels.stream()
        .map(
            label ->
                List.of(
                    (double) place(places, label.label()),
                    (double) label.samples(),
                    (double) label.failed(),
                    Rounding.exact(label.throughput()),
                    Rounding.exact(label.meanMillis()),
                    Rounding.exact(label.p95Millis())))
        .toList();
  }

  private static Lines lines(TrialResult result, int step, List<String> domains) {
    List<Reduction.Second> series = result.load().map(LoadResult::series).orElse(List.of());
    double length = result.window().seconds();
    int points = (series.size() + step - 1) / step;
    // A very short last stretch has a meaningless rate.
    if (points > 1 && length - (points - 1.0) * step < 0.1 * step) {
      points--;
    }
    List<Double> rate = new ArrayList<>(points);
    List<Double> p95 = new ArrayList<>(points);
    List<Long> failed = new ArrayList<>(points);
    for (int i = 0; i < points; i++) {
      List<Reduction.Second> seconds =
          series.subList(i * step, Math.min(series.size(), (i + 1) * step));
      long samples = seconds.stream().mapToLong(Reduction.Second::samples).sum();
      rate.add(Rounding.rough(samples / Math.min(step, length - (double) i * step)));
      p95.add(Rounding.rough(highest(seconds)));
      failed.add(seconds.stream().mapToLong(Reduction.Second::failed).sum());
    }
    return new Lines(
        rate,
        p95,
        failed.stream().anyMatch(n -> n > 0) ? failed : List.of(),
        shares(result.monitor().series(), step, domains));
  }

  private static double highest(List<Reduction.Second> seconds) {
    return seconds.stream()
        .mapToDouble(Reduction.Second::p95Millis)
        .filter(Double::isFinite)
        .max()
        .orElse(Double.NaN);
  }

  private static Map<Integer, List<List<Integer>>> shares(
      List<Series> series, int step, List<String> domains) {
    int points =
        series.stream()
            .filter(one -> !one.values().isEmpty())
            .mapToInt(one -> one.values().lastSecond() / step + 1)
            .max()
            .orElse(0);
    Map<Integer, List<List<Integer>>> shares = new LinkedHashMap<>();
    for (Series one : series) {
      int domain = domains.indexOf(one.place());
      if (domain >= 0) {
        shares
            .computeIfAbsent(domain, any -> new ArrayList<>())
            .add(thousandths(one.values(), step, points));
      }
    }
    return shares;
  }

  /** Returns the mean of the known values in each stretch; -1 if there are none. */
  private static List<Integer> thousandths(BySecond values, int step, int points) {
    return IntStream.range(0, points)
        .mapToObj(
            point ->
                values
                    .values(point * step, (point + 1) * step)
                    .filter(Double::isFinite)
                    .average()
                    .stream()
                    .mapToInt(mean -> (int) Math.round(1000 * mean))
                    .findFirst()
                    .orElse(-1))
        .toList();
  }

  /** Returns the seconds per point that limit the size of the page. */
  private static final class SeriesStep {
    /**
     * The maximum number of values in all series of a page: less than a megabyte at about four
     * characters each.
     */
    private static final long MOST_NUMBERS = 240_000;

    private static final List<Integer> STEPS =
        List.of(1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600);

    static int of(List<TrialResult> results) {
      long numbers = 0;
      for (TrialResult result : results) {
        numbers += 3L * result.load().map(load -> load.series().size()).orElse(0);
        for (Series shares : result.monitor().series()) {
          numbers += shares.values().size();
        }
      }
      long all = numbers;
      Optional<Integer> step = STEPS.stream().filter(s -> all / s <= MOST_NUMBERS).findFirst();
      return step.orElse(STEPS.get(STEPS.size() - 1));
    }
  }

  /** Rounds the page's data to the precision that is visible. */
  static final class Rounding {
    private static final MathContext ESTIMATES = new MathContext(7);
    private static final MathContext PIXELS = new MathContext(3);

    private Rounding() {}

    /** Seven digits. */
    static double exact(double value) {
      return rounded(value, ESTIMATES);
    }

    /** Three digits: a second in a series of seconds. */
    static double rough(double value) {
      return rounded(value, PIXELS);
    }

    private static double rounded(double value, MathContext digits) {
      return Double.isFinite(value) ? new BigDecimal(value).round(digits).doubleValue() : value;
    }

    /** Mean, deviation, n, and the interval's ends. */
    static List<Double> of(Estimate estimate) {
      return List.of(
          exact(estimate.mean()),
          exact(estimate.deviation()),
          (double) estimate.n(),
          exact(estimate.low()),
          exact(estimate.high()));
    }
  }
}
