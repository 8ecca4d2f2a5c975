package io.slicewise.run.result;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.ReductionOptions.Counted;
import io.slicewise.load.jtl.SampleSummary;
import io.slicewise.stats.Mser5;
import io.slicewise.workload.Turns;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.HdrHistogram.Histogram;

/** Converts a reduction of raw samples to the results that a trial keeps. */
public final class LoadResults {
  private static final String REQUESTS = "requests";
  private static final String TRANSACTIONS = "transactions";

  private LoadResults() {}

  public static LoadResult of(Reduction reduction, Window window) {
    return of(new TrialSamples(reduction, Counted.REQUESTS, List.of(), Optional.empty()), window);
  }

  /**
   * Returns the results, with the labels of what is counted first, then those of the transactions.
   */
  public static LoadResult of(TrialSamples samples, Window window) {
    Reduction reduction = samples.reduction();
    Set<String> taken = reduction.byLabel().keySet();
    String counts = samples.counted() == Counted.REQUESTS ? REQUESTS : TRANSACTIONS;
    List<LoadResult> labels = new ArrayList<>();
    reduction.labels().forEach(label -> labels.add(label(label, window, label.label(), counts)));
    for (SampleSummary sum : samples.transactions()) {
      labels.add(
          label(
              sum,
              window,
              taken.contains(sum.label()) ? sum.label() + " (transaction)" : sum.label(),
              TRANSACTIONS));
    }
    return one(
        reduction.total(),
        window,
        reduction.total().label(),
        labels,
        reduction.series(),
        samples.turns(),
        counts);
  }

  private static LoadResult label(
      SampleSummary summary, Window window, String name, String counts) {
    return one(summary, window, name, List.of(), List.of(), Optional.empty(), counts);
  }

  /**
   * Samples in each whole second of the window. A window ends shortly after its last whole second;
   * the remainder would look like a second with almost no answers.
   */
  public static List<Long> wholeSeconds(List<Reduction.Second> series, Window window) {
    return series.stream()
        .limit(window.length().toSeconds())
        .map(Reduction.Second::samples)
        .toList();
  }

  private static LoadResult one(
      SampleSummary summary,
      Window window,
      String name,
      List<LoadResult> labels,
      List<Reduction.Second> series,
      Optional<Turns> turns,
      String counts) {
    return new LoadResult(
        name,
        summary.samples(),
        summary.failed(),
        summary.errors(),
        summary.samples() / window.seconds(),
        summary.responseTimes().mean(),
        summary.responseTimes().deviation(),
        summary.percentileMillis(50),
        summary.percentileMillis(95),
        summary.percentileMillis(99),
        summary.receivedBytes(),
        encode(summary.responseTimes().histogram()),
        labels,
        series,
        Mser5.of(wholeSeconds(series, window).stream().mapToDouble(Long::doubleValue).toArray()),
        counts,
        turns);
  }

  /** Returns a histogram as results keep it. */
  public static String encode(Histogram histogram) {
    ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
    int length = histogram.encodeIntoCompressedByteBuffer(buffer);
    return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
  }
}
