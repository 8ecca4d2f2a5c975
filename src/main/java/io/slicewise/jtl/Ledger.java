package io.slicewise.jtl;

import io.slicewise.units.Window;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Decides what counts, and counts it. */
final class Ledger {
  private static final long EARLIEST = Instant.parse("2000-01-01T00:00:00Z").toEpochMilli();
  private static final long LATEST = Instant.parse("2100-01-01T00:00:00Z").toEpochMilli();
  private static final long BACKWARDS_MILLIS = 1000;

  private final Optional<Window> window;
  private final ReductionOptions options;
  private final Limits limits;
  private final long start;
  private final long end;
  private final long origin;
  private final LabelTable labels;
  private final Seconds seconds;
  private final DamageLog damage = new DamageLog();

  private long outsideWindow;
  private long transactions;
  private long requests;
  private long firstStart = Long.MAX_VALUE;
  private long lastEnd = Long.MIN_VALUE;
  private long previousEnd = Long.MIN_VALUE / 2;

  Ledger(Optional<Window> window, ReductionOptions options, Limits limits) {
    this.window = window;
    this.options = options;
    this.limits = limits;
    start = window.map(asked -> millisAtOrAfter(asked.start())).orElse(Long.MIN_VALUE);
    end = window.map(asked -> millisAtOrAfter(asked.end())).orElse(Long.MAX_VALUE);
    origin = window.isPresent() ? start : 0;
    labels = new LabelTable(limits.labels());
    seconds = new Seconds(limits.seconds());
  }

  DamageLog damage() {
    return damage;
  }

  /**
   * @param line on which the row begins
   */
  void add(Row row, long line) {
    if (row.elapsed < 0 || row.timeStamp < 0) {
      damage.note(DamageKind.NEGATIVE, line);
      return;
    }
    if (row.elapsed > Times.LONGEST || row.timeStamp < EARLIEST || row.timeStamp >= LATEST) {
      damage.note(DamageKind.ABSURD, line);
      return;
    }
    boolean byEnd = options.attribution() == ReductionOptions.Attribution.BY_END;
    long moment = byEnd ? row.timeStamp + row.elapsed : row.timeStamp;
    if (moment < previousEnd - BACKWARDS_MILLIS) {
      damage.note(DamageKind.BACKWARDS, line);
    }
    previousEnd = moment;
    if (row.transaction != (options.counted() == ReductionOptions.Counted.TRANSACTIONS)) {
      transactions += row.transaction ? 1 : 0;
      requests += row.transaction ? 0 : 1;
    } else if (moment < start || moment >= end) {
      outsideWindow++;
    } else {
      count(row, moment);
    }
  }

  private void count(Row row, long moment) {
    Tally tally = labels.find(row.bytes, row.labelStart, row.labelEnd);
    tally.add(row.elapsed, row.latency, row.received, row.sent);
    if (!row.success) {
      String code =
          new String(row.bytes, row.codeStart, row.codeEnd - row.codeStart, StandardCharsets.UTF_8);
      tally.addError(code, limits.codes());
    }
    seconds.add((moment - origin) / 1000, row.elapsed, row.success, row.threads);
    firstStart = Math.min(firstStart, row.timeStamp);
    lastEnd = Math.max(lastEnd, row.timeStamp + row.elapsed);
  }

  Reduction reduction() {
    List<Tally> tallies = labels.tallies();
    Tally total = new Tally("total");
    tallies.forEach(total::add);
    return new Reduction(
        covered(),
        total.summary(),
        tallies.stream().map(Tally::summary).toList(),
        series(),
        new Reduction.LeftOut(outsideWindow, transactions, requests),
        damage.report());
  }

  private Window covered() {
    boolean none = lastEnd < firstStart;
    return window.orElseGet(
        () ->
            new Window(
                Instant.ofEpochMilli(none ? 0 : firstStart),
                Instant.ofEpochMilli(none ? 0 : lastEnd)));
  }

  private List<Reduction.Second> series() {
    Window covered = covered();
    if (covered.length().isZero()) {
      return List.of();
    }
    long first = window.isPresent() ? 0 : firstStart / 1000;
    long last =
        window.isPresent() ? Math.max(0, (long) Math.ceil(covered.seconds()) - 1) : lastEnd / 1000;
    return seconds.series(first, (int) (last - first + 1));
  }

  private static long millisAtOrAfter(Instant instant) {
    return -Math.floorDiv(
        -(instant.getEpochSecond() * 1_000_000_000L + instant.getNano()), 1_000_000L);
  }
}
