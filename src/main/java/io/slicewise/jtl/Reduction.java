package io.slicewise.jtl;

import java.util.List;
import java.util.Map;

/**
 * A result file reduced.
 *
 * @param labels in order of first appearance
 * @param series one entry a second from the window's start, seconds without samples included
 * @param damage counts by kind and the first few line numbers; empty for a sound file
 */
public record Reduction(
    SampleSummary total, List<SampleSummary> labels, List<Second> series, List<Damage> damage) {
  public Reduction {
    labels = List.copyOf(labels);
    series = List.copyOf(series);
    damage = List.copyOf(damage);
  }

  /**
   * One second of a load, by the samples that ended in it.
   *
   * @param p95Millis of the samples that ended in this second; {@code NaN} when none did
   * @param activeThreads the largest seen; -1 when the file does not tell
   */
  public record Second(
      int second,
      long samples,
      long failed,
      double meanMillis,
      double p95Millis,
      int activeThreads) {}

  /** One kind of damage: how often, and on which lines first (1-based). */
  public record Damage(String kind, long count, List<Long> firstLines) {
    public Damage {
      firstLines = List.copyOf(firstLines);
    }
  }

  /** The labels' summaries by label. */
  public Map<String, SampleSummary> byLabel() {
    return labels.stream()
        .collect(java.util.stream.Collectors.toMap(SampleSummary::label, summary -> summary));
  }
}
