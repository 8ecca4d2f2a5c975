package io.slicewise.load.jtl;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.DamageLog.DamageKind;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The reduction of a result file.
 *
 * @param window the requested one, or from the first sample's start to the last one's end
 * @param total of all labels; with {@link ReductionOptions.Counted#TRANSACTIONS_BY_LABEL} of the
 *     requests, if there are any
 * @param labels in order of first appearance
 * @param series of the samples in the total: one entry per second from the window's start,
 *     including seconds without samples; empty if it would be longer than {@link #LONGEST_SERIES}
 *     seconds
 * @param leftOut sound samples that were not counted, by rule
 * @param doubts sentences on what cannot be decided from the file
 * @param damage counts by kind and the first few line numbers; empty for a sound file
 * @param generators the total of each of several files that were merged, in their order
 */
public record Reduction(
    Window window,
    SampleSummary total,
    List<SampleSummary> labels,
    List<Second> series,
    LeftOut leftOut,
    List<String> doubts,
    List<Damage> damage,
    List<SampleSummary> generators) {
  static final String UNKNOWN_FAILURES =
      "the file has no column success: which samples failed is unknown";

  /** Seconds; a day and a bit. */
  public static final int LONGEST_SERIES = 100_000;

  public Reduction {
    labels = List.copyOf(labels);
    series = List.copyOf(series);
    doubts = List.copyOf(doubts);
    damage = List.copyOf(damage);
    generators = List.copyOf(generators);
  }

  /** The reduction of one file. */
  public Reduction(
      Window window,
      SampleSummary total,
      List<SampleSummary> labels,
      List<Second> series,
      LeftOut leftOut,
      List<String> doubts,
      List<Damage> damage) {
    this(window, total, labels, series, leftOut, doubts, damage, List.of());
  }

  /**
   * One second of a load: the samples that ended in it.
   *
   * @param second from the window's start; without a window, from the start of the wall-clock
   *     second in which the first sample started
   * @param p95Millis of the samples that ended in this second, by nearest rank; with more than
   *     {@value Seconds.Second#EXACT} of them accurate to 0.8 %; {@code NaN} if none did
   * @param activeThreads the maximum; -1 if the file does not contain it
   */
  public record Second(
      int second,
      long samples,
      long failed,
      double meanMillis,
      double p95Millis,
      int activeThreads) {}

  /**
   * Valid samples that a rule excluded from the counts of all labels.
   *
   * @param outsideWindow samples that ended (or started, depending on the rule) outside the window
   * @param transactions sums of transaction controllers whose samples count separately
   * @param requests requests, if transactions count; by label, those inside the window, which are
   *     the total
   * @param parts rows of CSV that are sub-results (redirects, embedded resources) of the request in
   *     a row above
   * @param inferred sums without a message, recognized by label, thread and time
   * @param lacking whether the file has fewer requests than its sums consist of
   * @param overlaps requests that cannot all be of the threads that they name
   */
  public record LeftOut(
      long outsideWindow,
      long transactions,
      long requests,
      long parts,
      long inferred,
      boolean lacking,
      Overlaps overlaps) {}

  /** One kind of damage: its count and first lines (1-based). */
  public record Damage(String kind, long count, List<Long> firstLines) {
    public Damage {
      firstLines = List.copyOf(firstLines);
    }
  }

  /**
   * Returns this reduction to requests, if they make a total. Each request is in at most one sum
   * per label; with fewer requests, JMeter did not save those inside the transactions.
   *
   * @param hint the alternative for the user if the file has fewer requests than its sums consist
   *     of
   * @throws SlicewiseException if it has, or if many requests of a thread overlap
   */
  public Reduction ofRequests(Path file, String hint) {
    if (leftOut.overlaps().areMany()) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          Phrase.of(
              "in %s, %d of %d requests begin before the previous one of their thread has ended, so"
                  + " its parts of requests (redirects, embedded resources) cannot be recognized",
              file, leftOut.overlaps().count(), leftOut.overlaps().requests()),
          "If files of several generators with equal thread names were merged, reduce each of them."
              + " If timestamps are the ends of samples (sampleresult.timestamp.start=false), save"
              + " without sub-results (jmeter.save.saveservice.subresults=false).");
    }
    if (leftOut.lacking()) {
      throw new SlicewiseException(
          ErrorKind.NO_VALID_DATA,
          Phrase.of(
              "%s has %d sums of transaction controllers, but only %d requests: those inside the"
                  + " transactions were not saved, so there is no total of requests",
              file, leftOut.transactions(), total.samples()),
          hint);
    }
    return this;
  }

  /** Returns this reduction with the totals of the generators whose files were merged. */
  Reduction of(List<SampleSummary> each) {
    return new Reduction(window, total, labels, series, leftOut, doubts, damage, each);
  }

  /** The labels' summaries by label, in order of first appearance. */
  public Map<String, SampleSummary> byLabel() {
    Map<String, SampleSummary> byLabel = new LinkedHashMap<>();
    labels.forEach(summary -> byLabel.put(summary.label(), summary));
    return byLabel;
  }

  /** Whether the file shows which samples failed. */
  public boolean knowsFailures() {
    return !doubts.contains(UNKNOWN_FAILURES);
  }

  /** The number of failed samples that are not counted, because the file has no time of them. */
  public long untimed() {
    return damage.stream()
        .filter(one -> one.kind().equals(DamageKind.UNTIMED.text()))
        .mapToLong(Damage::count)
        .sum();
  }

  /** Samples per second over the window; {@code NaN} for an empty window. */
  public double ratePerSecond(SampleSummary summary) {
    return window.length().isZero() ? Double.NaN : summary.samples() / window.seconds();
  }
}
