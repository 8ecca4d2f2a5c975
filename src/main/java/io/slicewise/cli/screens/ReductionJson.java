package io.slicewise.cli.screens;

import io.slicewise.base.units.Window;
import io.slicewise.cli.screens.ReductionScreen.ReducedFile;
import io.slicewise.load.jtl.Reduction;
import io.slicewise.load.jtl.SampleSummary;
import java.util.List;
import java.util.Map;

/** The JSON form of a reduction. */
public record ReductionJson(
    String file,
    Window window,
    Label total,
    List<Label> labels,
    List<Reduction.Second> series,
    Reduction.LeftOut leftOut,
    List<Reduction.Damage> damage) {

  public static ReductionJson of(ReducedFile reduced) {
    Reduction reduction = reduced.reduction();
    return new ReductionJson(
        reduced.file(),
        reduction.window(),
        Label.of(reduction, reduction.total()),
        reduction.labels().stream().map(label -> Label.of(reduction, label)).toList(),
        reduction.series(),
        reduction.leftOut(),
        reduction.damage());
  }

  /** One label or the total; unknown numbers are null. */
  record Label(
      String label,
      long samples,
      long failed,
      Map<String, Long> errors,
      double requestsPerSecond,
      double meanMillis,
      double deviationMillis,
      double p50Millis,
      double p95Millis,
      double p99Millis,
      long minMillis,
      long maxMillis,
      double latencyMeanMillis,
      long receivedBytes,
      long sentBytes) {

    public static Label of(Reduction reduction, SampleSummary summary) {
      return new Label(
          summary.label(),
          summary.samples(),
          summary.failed(),
          summary.errors(),
          reduction.ratePerSecond(summary),
          summary.responseTimes().mean(),
          summary.responseTimes().deviation(),
          summary.percentileMillis(50),
          summary.percentileMillis(95),
          summary.percentileMillis(99),
          summary.responseTimes().smallest(),
          summary.responseTimes().largest(),
          summary.latencies().mean(),
          summary.receivedBytes(),
          summary.sentBytes());
    }
  }
}
