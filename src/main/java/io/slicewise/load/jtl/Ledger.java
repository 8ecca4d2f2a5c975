package io.slicewise.load.jtl;

import io.slicewise.base.units.Window;
import io.slicewise.load.jtl.DamageLog.DamageKind;
import io.slicewise.load.jtl.Format.Intake;
import io.slicewise.load.jtl.Format.ReaderLimits;
import io.slicewise.load.jtl.Kinship.PartName;
import io.slicewise.load.jtl.Kinship.Roles;
import io.slicewise.load.jtl.text.CsvColumns;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Decides which samples count, and counts them. A copy from another machine has the counts alone,
 * to be merged.
 */
final class Ledger implements Intake, Serializable {
  private static final long serialVersionUID = 1L;

  private static final long BACKWARDS_MILLIS = 1000;
  private static final String TOTAL = "total";

  private final transient Optional<Window> window;
  private final transient ReaderLimits limits;
  private final boolean byEnd;
  private final ReductionOptions.Counted counted;
  private final long start;
  private final long end;
  private final long origin;
  private final transient UnaryOperator<String> decoder;
  private final LabelTable labels;
  private final Seconds seconds;

  /** The requests, which alone make the total where transactions count by label. */
  private final Tally requests = new Tally(TOTAL);

  private final Seconds requestSeconds;

  /** The labels that make the total; empty for all. Other labels have no series. */
  private final Set<String> totalLabels;

  private final Seconds otherSeconds;
  private final DamageLog damage = new DamageLog();

  /** The roles of rows that do not state theirs, once such rows are found. */
  private final transient Optional<Roles> roles;

  private final Doubts doubts = new Doubts();
  private boolean threaded;
  private boolean revealed;
  private boolean hidden;
  private boolean bare;
  private boolean partNamed;
  private boolean codesOverflowed;
  private long parts;
  private long inferred;
  private final Sums sums;
  private long sound;
  private long outsideWindow;
  private long leftOut;
  private long firstStart = Long.MAX_VALUE;
  private long lastEnd = Long.MIN_VALUE;

  /** Of the first sample, at the latest. */
  private long firstMoment;

  private long firstLine;
  private String firstRow = "";
  private long previousMoment;

  /**
   * @param window empty to count everything
   * @param roles the roles of rows that do not state theirs; empty to find out if they are needed
   * @param decoder decodes a label as spelled in the file
   */
  Ledger(
      Optional<Window> window,
      ReductionOptions options,
      ReaderLimits limits,
      UnaryOperator<String> decoder,
      Optional<Roles> roles) {
    this.window = window;
    this.roles = roles;
    this.limits = limits;
    sums = new Sums(limits.labels());
    byEnd = options.attribution() == ReductionOptions.Attribution.BY_END;
    counted = options.counted();
    start = window.map(asked -> millisAtOrAfter(asked.start())).orElse(Long.MIN_VALUE);
    end = window.map(asked -> millisAtOrAfter(asked.end())).orElse(Long.MAX_VALUE);
    origin = window.isPresent() ? start : 0;
    this.decoder = decoder;
    labels = new LabelTable(limits.labels(), decoder);
    seconds = new Seconds(limits.seconds());
    requestSeconds = new Seconds(limits.seconds());
    totalLabels = options.totalLabels();
    otherSeconds = new Seconds(limits.seconds());
  }

  private static long millisAtOrAfter(Instant instant) {
    long wholeSeconds = Math.multiplyExact(instant.getEpochSecond(), 1000L);
    return wholeSeconds - Math.floorDiv(-instant.getNano(), 1_000_000);
  }

  @Override
  public DamageLog damage() {
    return damage;
  }

  @Override
  public void columns(CsvColumns columns) {
    threaded |= columns.has(CsvColumns.THREAD);
    revealed = columns.revealSums();
    hidden = columns.hideSums();
    doubts.columns(columns);
  }

  @Override
  public boolean enough() {
    return needsRoles();
  }

  /** Whether the roles of rows are uncertain, so that {@link Kinship} must determine them first. */
  boolean needsRoles() {
    return roles.isEmpty() && (bare || (threaded && (partNamed || labels.partNamed())));
  }

  @Override
  public boolean isWhole(Row row) {
    return !row.transaction || counted == ReductionOptions.Counted.TRANSACTIONS;
  }

  @Override
  public void add(Row row, long line) {
    boolean part = roles.isPresent() && roles.get().isPart(sound);
    if (roles.isPresent() && roles.get().isSum(sound)) {
      row.transaction = true;
      row.inferred = true;
    }
    inferred += row.inferred ? 1 : 0;
    bare |= revealed && row.isBare();
    doubts.add(row, part);
    long moment = byEnd ? row.end() : row.timeStamp;
    long latest = row.wholeSecond ? moment + 1000 : moment;
    if (sound++ == 0) {
      firstMoment = latest;
      firstLine = line;
      firstRow = identity(row);
    } else if (latest < previousMoment - BACKWARDS_MILLIS) {
      damage.note(DamageKind.BACKWARDS, line);
      doubts.repeated(latest == firstMoment && identity(row).equals(firstRow));
    }
    previousMoment = moment;
    if (row.transaction) {
      sums.add(() -> label(row));
    }
    boolean byLabel = row.transaction == (counted != ReductionOptions.Counted.REQUESTS);
    boolean inTotal = byLabel || counted == ReductionOptions.Counted.TRANSACTIONS_BY_LABEL;
    boolean inside = moment >= start && moment < end;
    partNamed |= !byLabel && (inside || !inTotal) && !row.transaction && isPartNamed(row);
    if (part && inside) {
      parts++;
    } else if (!inTotal && !part) {
      leftOut++;
    } else if (!inside) {
      outsideWindow++;
    } else if (byLabel) {
      Tally tally = tally(row, line);
      count(tally, isInTotal(tally) ? seconds : otherSeconds, row, moment, line);
    } else {
      leftOut++;
      count(requests, requestSeconds, row, moment, line);
    }
  }

  private String identity(Row row) {
    return row.timeStamp + " " + row.elapsed + " " + row.received + " " + thread(row) + label(row);
  }

  private static String thread(Row row) {
    int length = row.threadEnd - row.threadStart;
    return new String(row.bytes, row.threadStart, length, StandardCharsets.UTF_8);
  }

  private boolean isPartNamed(Row row) {
    int last = row.labelEnd - 1;
    boolean perhaps =
        roles.isEmpty()
            && last > row.labelStart
            && (row.bytes[last] == '"' || (row.bytes[last] >= '0' && row.bytes[last] <= '9'));
    if (!perhaps) {
      return false;
    }
    return PartName.isOne(label(row));
  }

  private String label(Row row) {
    int length = row.labelEnd - row.labelStart;
    String text = new String(row.bytes, row.labelStart, length, StandardCharsets.UTF_8);
    return row.spelt ? decoder.apply(text) : text;
  }

  private boolean lacking() {
    return counted != ReductionOptions.Counted.TRANSACTIONS
        && sums.outnumber(sound - sums.count() - parts);
  }

  /** Adds rows, one second at a time. */
  @Override
  public int add(PlainRows rows, int from, int to) {
    int row = from;
    int before;
    do {
      before = row;
      row = addSecond(rows, row, to);
    } while (row > before && row < to);
    return row;
  }

  /** Adds rows up to the first that ended in another second. */
  private int addSecond(PlainRows rows, int from, int to) {
    long moment = moment(rows.timeStamps()[from], rows.elapsed()[from]);
    int most = roles.isEmpty() ? to : from + roles.get().requestsFrom(sound, to - from);
    boolean plain =
        sound > 0
            && most > from
            && rows.odd()[from] == 0
            && !(hidden && revealed && roles.isEmpty())
            && counted == ReductionOptions.Counted.REQUESTS
            && totalLabels.isEmpty()
            && moment >= Math.max(start, previousMoment - BACKWARDS_MILLIS)
            && moment < end;
    long number = (moment - origin) / 1000;
    Seconds.Second second = plain ? seconds.at(number) : null;
    if (second == null) {
      return from;
    }
    int last = sameSecond(rows, from, most, origin + 1000 * number);
    last = labels.add(rows, from, last);
    second.add(rows, from, last);
    doubts.again(rows.repeated(from, last));
    sound += last - from;
    span(rows, from, last);
    return last;
  }

  /** The time at which a sample counts: its end or, optionally, its start. */
  private long moment(long timeStamp, int elapsed) {
    return byEnd ? timeStamp + elapsed : timeStamp;
  }

  /** The first row that failed, or ended outside the window or the second. */
  private int sameSecond(PlainRows rows, int from, int to, long second) {
    int[] odd = rows.odd();
    long[] timeStamps = rows.timeStamps();
    int[] elapsed = rows.elapsed();
    int counts = byEnd ? -1 : 0;
    long first = Math.max(start, second);
    long length = Math.min(end, second + 1000) - first;
    int row = from;
    while (row < to
        && odd[row] == 0
        && Long.compareUnsigned(timeStamps[row] + (elapsed[row] & counts) - first, length) < 0) {
      row++;
    }
    return row;
  }

  /** Widens the time that the samples span. */
  private void span(PlainRows rows, int from, int to) {
    long[] timeStamps = rows.timeStamps();
    int[] elapsed = rows.elapsed();
    long earliest = firstStart;
    long latest = lastEnd;
    for (int row = from; row < to; row++) {
      earliest = Math.min(earliest, timeStamps[row]);
      latest = Math.max(latest, timeStamps[row] + elapsed[row]);
    }
    firstStart = earliest;
    lastEnd = latest;
    if (to > from) {
      previousMoment = moment(timeStamps[to - 1], elapsed[to - 1]);
    }
  }

  private boolean isInTotal(Tally tally) {
    return totalLabels.isEmpty() || totalLabels.contains(tally.label());
  }

  private Tally tally(Row row, long line) {
    Tally tally = row.spelt ? labels.find(row.bytes, row.labelStart, row.labelEnd) : null;
    return tally == null ? labels.admit(row, damage, line) : tally;
  }

  private void count(Tally tally, Seconds series, Row row, long moment, long line) {
    boolean success = row.failed() == 0;
    if (row.count > 1) {
      tally.addSum(row);
      series.addSum((moment - origin) / 1000, row);
    } else {
      tally.add(row.elapsed, row.latency, row.received, row.sent);
      series.add((moment - origin) / 1000, row.elapsed, success, row.threads);
    }
    for (int i = row.failed(); i > 0; i--) {
      if (!tally.errors().add(row, decoder, limits.codes())) {
        codesOverflowed = true;
        damage.note(DamageKind.MANY_CODES, line);
      }
    }
    firstStart = Math.min(firstStart, row.timeStamp);
    lastEnd = Math.max(lastEnd, row.end());
  }

  /** Adds a later part of the same file, after {@code linesBefore} lines. */
  void append(Ledger later, long linesBefore) {
    append(later, linesBefore, false);
  }

  private void append(Ledger later, long linesBefore, boolean beside) {
    if (sound > 0 && later.sound > 0 && later.firstMoment < previousMoment - BACKWARDS_MILLIS) {
      damage.note(DamageKind.BACKWARDS, later.firstLine + linesBefore);
    }
    damage.append(later.damage, linesBefore);
    doubts.add(later.doubts);
    doubts.repeated(!beside && !firstRow.isEmpty() && firstRow.equals(later.firstRow));
    bare |= later.bare;
    partNamed |= later.partNamed;
    threaded |= later.threaded;
    sums.add(later.sums);
    inferred += later.inferred;
    labels.append(later.labels);
    seconds.add(later.seconds, beside);
    requests.add(later.requests);
    requestSeconds.add(later.requestSeconds, beside);
    codesOverflowed |=
        later.codesOverflowed
            || requests.errors().size() > limits.codes()
            || labels.tallies().stream().anyMatch(tally -> tally.errors().size() > limits.codes());
    if (sound == 0) {
      firstMoment = later.firstMoment;
      firstLine = later.firstLine + linesBefore;
      firstRow = later.firstRow;
    }
    previousMoment = later.sound > 0 ? later.previousMoment : previousMoment;
    sound += later.sound;
    outsideWindow += later.outsideWindow;
    leftOut += later.leftOut;
    firstStart = Math.min(firstStart, later.firstStart);
    lastEnd = Math.max(lastEnd, later.lastEnd);
  }

  /** Adds another generator's file for the same window, in its own clock. */
  void merge(Ledger other) {
    previousMoment = other.firstMoment;
    append(other, 0, true);
  }

  /**
   * Whether there were so many labels or codes that those with their own count depend on the order.
   */
  boolean overflowed() {
    return codesOverflowed
        || labels.overflowed()
        || seconds.overflowed()
        || requestSeconds.overflowed();
  }

  /** The number of valid samples, counted or not. */
  long sound() {
    return sound;
  }

  /** The summary of all labels; nothing may be counted afterwards. */
  SampleSummary total() {
    if (ofRequests()) {
      return requests.summary();
    }
    Tally total = new Tally(TOTAL);
    labels.tallies().stream().filter(this::isInTotal).forEach(total::add);
    return total.summary();
  }

  private boolean ofRequests() {
    return counted == ReductionOptions.Counted.TRANSACTIONS_BY_LABEL && leftOut > 0 && !lacking();
  }

  Reduction reduction() {
    SampleSummary total = total();
    List<SampleSummary> summaries = labels.tallies().stream().map(Tally::summary).toList();
    Window covered = window.orElseGet(this::covered);
    return new Reduction(
        covered,
        total,
        summaries,
        series(covered, ofRequests() ? requestSeconds : seconds),
        leftOut(),
        doubts.sentences(
            summaries, sound, roles, window.isPresent() ? Optional.empty() : seconds.pauses()),
        damage.report());
  }

  private Reduction.LeftOut leftOut() {
    boolean ofSums = counted == ReductionOptions.Counted.REQUESTS;
    return new Reduction.LeftOut(
        outsideWindow,
        ofSums ? leftOut : 0,
        ofSums ? 0 : leftOut,
        parts,
        inferred,
        lacking(),
        roles.map(Roles::overlaps).orElse(Overlaps.NONE));
  }

  private Window covered() {
    boolean none = lastEnd < firstStart;
    return new Window(
        Instant.ofEpochMilli(none ? 0 : firstStart), Instant.ofEpochMilli(none ? 0 : lastEnd));
  }

  private List<Reduction.Second> series(Window covered, Seconds counts) {
    if (lastEnd < firstStart && window.isEmpty()) {
      return List.of();
    }
    long first = window.isPresent() ? 0 : Math.floorDiv(firstStart, 1000L);
    long last =
        window.isPresent()
            ? (long) Math.ceil(covered.seconds()) - 1
            : Math.floorDiv(lastEnd, 1000L);
    if (last - first >= limits.seconds()) {
      damage.note(DamageKind.NO_SERIES, 1);
      return List.of();
    }
    return counts.series(first, (int) (last - first + 1));
  }

  /** The transaction sums of a file: their number and their labels. */
  private static final class Sums implements Serializable {
    private static final long serialVersionUID = 1L;

    private final int mostLabels;
    private final Set<String> labels = new HashSet<>();
    private long count;

    /**
     * @param mostLabels maximum number of labels
     */
    Sums(int mostLabels) {
      this.mostLabels = mostLabels;
    }

    void add(Supplier<String> label) {
      count++;
      if (labels.size() < mostLabels) {
        labels.add(label.get());
      }
    }

    void add(Sums later) {
      count += later.count;
      labels.addAll(later.labels);
    }

    long count() {
      return count;
    }

    /** Whether there are too few requests for these sums, which need one request per label. */
    boolean outnumber(long requests) {
      return count > requests * Math.max(1, labels.size());
    }
  }
}
