package io.slicewise.load.jtl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.ReaderLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.HdrHistogram.Histogram;

/** Holds a reduction against the reference's, on one file and in one way of reading it. */
final class Judge {
  private final Path file;

  Judge(Path file) {
    this.file = file;
  }

  /** Reads bytes with rules, limits and threads drawn at random, and compares. */
  void agree(byte[] bytes, Random random) throws IOException {
    ReductionOptions options = options(random);
    boolean tight = random.nextInt(4) == 0;
    ReaderLimits limits =
        new ReaderLimits(
            random.nextBoolean() ? 1 + random.nextInt(300) : 1 << 14,
            random.nextInt(4) == 0 ? 40 + random.nextInt(200) : 1 << 14,
            tight ? 1 + random.nextInt(4) : 100,
            tight ? 1 : 100,
            tight ? 5 : 50_000);
    agree(bytes, options, limits, random);
  }

  /** Reads bytes within the given limits, with rules and threads drawn at random, and compares. */
  void agree(byte[] bytes, ReaderLimits limits, Random random) throws IOException {
    agree(bytes, options(random), limits, random);
  }

  private static ReductionOptions options(Random random) {
    return ReductionOptions.standard()
        .inZone(ZoneOffset.UTC)
        .onThreads(random.nextInt(6) > 0 ? 1 : 2 + random.nextInt(3))
        .attributed(any(ReductionOptions.Attribution.values(), random))
        .counting(
            random.nextInt(3) == 0
                ? any(ReductionOptions.Counted.values(), random)
                : ReductionOptions.Counted.REQUESTS);
  }

  private void agree(byte[] bytes, ReductionOptions options, ReaderLimits limits, Random random)
      throws IOException {
    long start = JtlText.T0 + random.nextInt(3000);
    long end = random.nextBoolean() ? start : start + 1 + random.nextInt(6000);
    agree(bytes, options, limits, start, end);
  }

  private static <T> T any(T[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  private void agree(
      byte[] bytes, ReductionOptions options, ReaderLimits limits, long start, long end)
      throws IOException {
    ReferenceReduction expected = new ReferenceReduction(bytes, options, limits, start, end);
    Files.write(file, bytes);
    Optional<Window> window =
        start == end
            ? Optional.empty()
            : Optional.of(new Window(Instant.ofEpochMilli(start), Instant.ofEpochMilli(end)));
    Reduction reduction;
    try {
      reduction = Reductions.reduce(file, window, options, limits);
    } catch (SlicewiseException refusal) {
      boolean nothing = expected.sound == 0;
      assertThat(expected.refused || nothing).as(refusal.getMessage()).isTrue();
      return;
    }
    assertThat(expected.refused).as("document type refused").isFalse();
    compareDamage(reduction, expected);
    compareLabels(reduction, expected);
    compareSeries(reduction, expected, window.isPresent(), limits);
    assertThat(reduction.leftOut().parts()).isEqualTo(expected.parts);
    if (reduction.leftOut().overlaps().count() > 0) {
      assertThat(reduction.leftOut().overlaps().count()).isEqualTo(expected.overlaps());
    }
    assertThat(reduction.leftOut().inferred()).isEqualTo(expected.inferred);
    assertThat(reduction.leftOut().outsideWindow()).isEqualTo(expected.outsideWindow);
    assertThat(reduction.leftOut().transactions() + reduction.leftOut().requests())
        .isEqualTo(expected.leftOut);
  }

  private static void compareDamage(Reduction reduction, ReferenceReduction expected) {
    Map<DamageKind, List<Long>> damage = expected.damage;
    List<Reduction.Damage> kinds =
        damage.entrySet().stream()
            .map(
                entry ->
                    new Reduction.Damage(
                        entry.getKey().text(),
                        entry.getValue().size(),
                        entry.getValue().stream().limit(DamageLog.LINES_KEPT).toList()))
            .toList();
    assertThat(
            reduction.damage().stream()
                .filter(kind -> !kind.kind().equals(DamageKind.NO_SERIES.text())))
        .isEqualTo(kinds);
  }

  private static void compareLabels(Reduction reduction, ReferenceReduction expected) {
    assertThat(reduction.labels().stream().map(SampleSummary::label))
        .isEqualTo(List.copyOf(expected.labels.keySet()));
    long total = 0;
    for (SampleSummary summary : reduction.labels()) {
      compare(summary, expected.labels.get(summary.label()));
      total += summary.samples();
    }
    assertThat(reduction.leftOut().lacking()).isEqualTo(expected.lacking());
    if (expected.requests.elapsed.isEmpty() || expected.lacking()) {
      assertThat(reduction.total().samples()).isEqualTo(total);
    } else {
      compare(reduction.total(), expected.requests);
    }
  }

  private static void compare(SampleSummary summary, ReferenceReduction.Label label) {
    assertThat(summary.samples()).isEqualTo(label.elapsed.size());
    assertThat(summary.failed()).isEqualTo(label.failed);
    assertThat(summary.errors()).isEqualTo(label.errors);
    assertThat(summary.receivedBytes()).isEqualTo(label.received);
    assertThat(summary.sentBytes()).isEqualTo(label.sent);
    assertThat(summary.responseTimes().mean()).isEqualTo(ReferenceReduction.mean(label.elapsed));
    double deviation = ReferenceReduction.deviation(label.elapsed);
    if (Double.isNaN(deviation)) {
      assertThat(summary.responseTimes().deviation()).isNaN();
    } else {
      assertThat(summary.responseTimes().deviation())
          .isCloseTo(deviation, within(1e-9 * (1 + Math.abs(deviation))));
    }
    assertThat(summary.responseTimes().smallest())
        .isEqualTo(ReferenceReduction.percentile(label.elapsed, 0));
    assertThat(summary.responseTimes().largest())
        .isEqualTo(ReferenceReduction.percentile(label.elapsed, 1));
    for (int percentile : new int[] {1, 50, 95, 99, 100}) {
      assertThat(summary.responseTimes().percentile(percentile))
          .isEqualTo(ReferenceReduction.percentile(label.elapsed, percentile / 100.0));
    }
    compare(summary.responseTimes().histogram(), label.elapsed);
    compare(summary.latencies().histogram(), label.latency);
  }

  private static void compare(Histogram histogram, List<Long> values) {
    assertThat(histogram.getTotalCount()).isEqualTo(values.size());
    for (long value : values) {
      long same =
          values.stream().filter(other -> histogram.valuesAreEquivalent(other, value)).count();
      assertThat(histogram.getCountAtValue(value)).isEqualTo(same);
    }
  }

  private static void compareSeries(
      Reduction reduction, ReferenceReduction expected, boolean windowed, ReaderLimits limits) {
    Map<Long, ReferenceReduction.Second> seconds =
        expected.requestSeconds.isEmpty() || expected.lacking()
            ? expected.seconds
            : expected.requestSeconds;
    if (reduction.series().isEmpty()) {
      boolean none = seconds.isEmpty() && !windowed;
      assertThat(
              none
                  || reduction.damage().stream()
                      .anyMatch(kind -> kind.kind().equals(DamageKind.NO_SERIES.text())))
          .isTrue();
      return;
    }
    assertThat(reduction.series().size()).isLessThanOrEqualTo(limits.seconds());
    long first = windowed ? 0 : expected.firstStart / 1000;
    long counted = 0;
    for (Reduction.Second second : reduction.series()) {
      ReferenceReduction.Second wanted = seconds.get(first + second.second());
      if (wanted == null) {
        assertThat(second.samples()).isZero();
        assertThat(second.p95Millis()).isNaN();
      } else {
        compare(second, wanted);
        counted += second.samples();
      }
    }
    assertThat(counted).isEqualTo(reduction.total().samples());
  }

  private static void compare(Reduction.Second second, ReferenceReduction.Second wanted) {
    assertThat(second.samples()).isEqualTo(wanted.elapsed.size());
    assertThat(second.failed()).isEqualTo(wanted.failed);
    assertThat(second.activeThreads()).isEqualTo((int) wanted.threads);
    assertThat(second.meanMillis()).isEqualTo(ReferenceReduction.mean(wanted.elapsed));
    double p95 = ReferenceReduction.percentile(wanted.elapsed, 0.95);
    boolean exact = wanted.elapsed.size() <= Seconds.Second.EXACT;
    assertThat(second.p95Millis()).isCloseTo(p95, within(exact ? 0 : 0.008 * p95));
  }
}
