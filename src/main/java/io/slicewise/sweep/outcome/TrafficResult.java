package io.slicewise.sweep.outcome;

import io.slicewise.base.units.Measure;
import io.slicewise.base.units.Percentile;
import io.slicewise.base.units.Window;
import io.slicewise.load.access.LoggedSeconds;
import io.slicewise.load.access.LoggedWindow;
import io.slicewise.load.access.Seen;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.run.result.LoadResult;
import io.slicewise.run.result.LoadResults;
import io.slicewise.stats.Mser5;
import io.slicewise.workload.Traffic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/**
 * The figures of a window of a log. Durations are exact to the log's own resolution, percentiles by
 * nearest rank. Requests whose users left before the answer have no duration of the service: they
 * count in the throughput and as {@code aborts}, and not in the times.
 */
public record TrafficResult(
    LoggedWindow logged, Window window, List<String> labels, long resolutionMicros) {
  private static final String OTHER = "other";
  private static final int DIGITS = 3;
  private static final double MILLI = 1000;
  private static final Percentile P95 = new Percentile(95);

  /** Returns the figures that any load has, in total and by label. */
  public LoadResult load() {
    List<LoadResult> byLabel =
        labels.isEmpty()
            ? List.of()
            : IntStream.rangeClosed(0, labels.size())
                .mapToObj(this::ofLabel)
                .filter(result -> result.samples() > 0)
                .toList();
    return result("all", logged.requests(), byLabel);
  }

  private LoadResult ofLabel(int label) {
    return result(
        label < labels.size() ? labels.get(label) : OTHER,
        logged.requests().stream().filter(seen -> seen.label() == label).toList(),
        List.of());
  }

  private LoadResult result(String label, List<Seen> requests, List<LoadResult> byLabel) {
    double[] millis = millis(requests);
    Map<String, Long> errors = new TreeMap<>();
    requests.stream()
        .filter(Seen::failed)
        .forEach(seen -> errors.merge(Integer.toString(seen.status()), 1L, Long::sum));
    List<Reduction.Second> series =
        byLabel.isEmpty() && !label.equals("all") ? List.of() : series();
    return new LoadResult(
        label,
        requests.size(),
        errors.values().stream().mapToLong(Long::longValue).sum(),
        errors,
        requests.size() / window.seconds(),
        Arrays.stream(millis).average().orElse(Double.NaN),
        deviation(millis),
        new Percentile(50).in(millis),
        P95.in(millis),
        new Percentile(99).in(millis),
        0,
        LoadResults.encode(histogram(millis)),
        byLabel,
        series,
        Mser5.of(
            series.stream()
                .limit(window.length().toSeconds())
                .mapToDouble(Reduction.Second::samples)
                .toArray()),
        "requests",
        Optional.empty());
  }

  /** The durations in order, without those of aborted requests. */
  private static double[] millis(List<Seen> requests) {
    return requests.stream()
        .filter(seen -> !seen.aborted())
        .mapToDouble(seen -> seen.durationMicros() / MILLI)
        .sorted()
        .toArray();
  }

  /** The sample standard deviation. */
  private static double deviation(double[] values) {
    double mean = Arrays.stream(values).average().orElse(Double.NaN);
    return values.length < 2
        ? Double.NaN
        : Math.sqrt(
            Arrays.stream(values).map(value -> (value - mean) * (value - mean)).sum()
                / (values.length - 1));
  }

  private static Histogram histogram(double[] millis) {
    Histogram histogram = new Histogram(DIGITS);
    Arrays.stream(millis).forEach(value -> histogram.recordValue(Math.round(value)));
    return histogram;
  }

  /** The requests of each second, by when they started. */
  private List<Reduction.Second> series() {
    int length = (int) Math.ceil(window.seconds());
    List<List<Seen>> bySecond = new ArrayList<>();
    IntStream.range(0, length).forEach(second -> bySecond.add(new ArrayList<>()));
    long begin = Seen.micros(window.start());
    for (Seen seen : logged.requests()) {
      int second = (int) ((seen.startMicros() - begin) / 1_000_000);
      bySecond.get(Math.min(length - 1, Math.max(0, second))).add(seen);
    }
    return IntStream.range(0, length)
        .mapToObj(second -> second(second, bySecond.get(second)))
        .toList();
  }

  private static Reduction.Second second(int number, List<Seen> requests) {
    double[] millis = millis(requests);
    return new Reduction.Second(
        number,
        requests.size(),
        requests.stream().filter(Seen::failed).count(),
        Arrays.stream(millis).average().orElse(Double.NaN),
        millis.length == 0
            ? Double.NaN
            : millis[Math.max(1, (int) Math.ceil(0.95 * millis.length)) - 1],
        -1);
  }

  /** The outcomes that a generated load does not have. */
  public List<Measure> measures() {
    List<Seen> requests = logged.requests();
    double[] upstream =
        requests.stream()
            .filter(seen -> !seen.aborted() && seen.upstreamMicros() >= 0)
            .mapToDouble(seen -> seen.upstreamMicros() / MILLI)
            .sorted()
            .toArray();
    double aborts = requests.stream().filter(Seen::aborted).count();
    long ending =
        requests.stream()
            .filter(seen -> seen.startMicros() + seen.durationMicros() > Seen.micros(window.end()))
            .count();
    return List.of(
        new Measure(Traffic.GEOMETRIC_MEAN, "ms", false, geometricMean()),
        new Measure(
            Traffic.ABORTS,
            "%",
            false,
            requests.isEmpty() ? Double.NaN : 100 * aborts / requests.size()),
        new Measure(
            Traffic.UPSTREAM_MEAN,
            "ms",
            false,
            Arrays.stream(upstream).average().orElse(Double.NaN)),
        new Measure(Traffic.UPSTREAM_P95, "ms", false, P95.in(upstream)),
        new Measure(Traffic.STRAGGLERS, "", false, ending),
        new Measure(Traffic.UNFINISHED_BEFORE, "", false, logged.unfinishedBefore()),
        new Measure(Traffic.LEFT_OUT, "", false, logged.leftOut()),
        new Measure(Traffic.NOT_UNDERSTOOD, "lines", false, logged.unread()),
        new Measure(Traffic.LATENESS, "ms", false, logged.lateness().toMillis()),
        new Measure(Traffic.CLOCK_AHEAD, "ms", false, logged.ahead().toNanos() / 1e6),
        new Measure(Traffic.CLOCK_BOUND, "ms", false, logged.bound().toNanos() / 1e6));
  }

  private double geometricMean() {
    return Math.exp(
        logged.requests().stream()
            .filter(seen -> !seen.aborted())
            .mapToDouble(seen -> LoggedSeconds.logMillis(seen.durationMicros(), resolutionMicros))
            .average()
            .orElse(Double.NaN));
  }
}
