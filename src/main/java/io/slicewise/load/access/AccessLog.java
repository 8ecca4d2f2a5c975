package io.slicewise.load.access;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.units.Visible;
import io.slicewise.base.units.Window;
import io.slicewise.load.access.LineFormats.LineFormat;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * A log that is followed in the background, from now on. A request belongs to the window in which
 * it started, so a window is read after its stragglers have ended: the longest 0.1 % excepted,
 * which are counted with the next window.
 */
public final class AccessLog implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** The shortest time between the end of a window and its reading. */
  private static final Duration MARGIN = Duration.ofSeconds(1);

  /** The longest that a window's stragglers, and late lines, are waited for. */
  private static final Duration PATIENCE = Duration.ofSeconds(15);

  private static final Duration LATEST = Duration.ofSeconds(30);
  private static final Duration LARGEST_OFFSET = Duration.ofMinutes(1);
  private static final Duration KEPT = Duration.ofSeconds(60);
  private static final double TAIL = 0.999;
  private static final double READABLE = 0.01;
  private static final int SHOWN = 160;

  private final LogFollower follower;
  private final LineFormats formats;
  private final Selection selection;
  private final Selection.Filter filter;
  private final Thread thread;
  private final LogClock clock = new LogClock();
  private final List<Gap> gaps = new ArrayList<>();
  private final LoggedSeconds seconds = new LoggedSeconds();
  private List<Seen> requests = new ArrayList<>();
  private List<Aside> asides = new ArrayList<>();
  private Optional<LineFormat> format = Optional.empty();
  private Optional<Window> taken = Optional.empty();
  private Optional<RuntimeException> failure = Optional.empty();
  private Optional<Instant> begun = Optional.empty();
  private Instant polled = Instant.MIN;
  private Duration lateness = Duration.ZERO;
  private Duration latenessBefore = Duration.ZERO;
  private Instant latenessSince = Instant.now();
  private String example = "";
  private long unfinished;
  private long all;
  private long whole;
  private volatile boolean closed;

  /** A time in which lines may be lost. */
  private record Gap(Window time, String why) {}

  /** A line that is no request, or one that does not count. */
  private record Aside(long micros, boolean understood) {}

  private AccessLog(
      Supplier<RemoteShell> shells, String path, LineFormats formats, Selection selection) {
    this.follower = new LogFollower(shells, path, this::line);
    this.formats = formats;
    this.selection = selection;
    this.filter = selection.new Filter();
    thread = new Thread(this::follow, "log " + path);
    thread.setDaemon(true);
  }

  /** Begins to follow a log. */
  public static AccessLog follow(
      Supplier<RemoteShell> shells, String path, LineFormats formats, Selection selection) {
    AccessLog log = new AccessLog(shells, path, formats, selection);
    log.thread.start();
    return log;
  }

  private void follow() {
    while (!closed) {
      try {
        poll();
      } catch (RemoteShellException lost) {
        lost(lost);
      } catch (RuntimeException unusable) {
        end(unusable);
        return;
      }
      pause();
    }
  }

  private void pause() {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException stopped) {
      closed = true;
    }
  }

  private List<String> lines = new ArrayList<>();

  private void line(String line) {
    lines.add(line);
  }

  private void poll() {
    lines = new ArrayList<>();
    LogFollower.Poll poll = follower.poll();
    synchronized (this) {
      Optional<String> stepped = clock.take(poll);
      Instant before = begun.isPresent() ? polled : poll.asked();
      // Nobody knows by which of both clocks a line of that time is stamped.
      stepped.ifPresent(why -> gaps.add(new Gap(new Window(before, poll.answered()), why)));
      poll.lost().forEach(why -> gaps.add(new Gap(new Window(before, poll.answered()), why)));
      if (format.isEmpty()) {
        format = Optional.of(formatAt(poll.zone()));
      }
      long arrived = Seen.micros(arrived(poll.asked()));
      if (stepped.isEmpty()) {
        lines.forEach(line -> take(line, arrived));
      }
      polled = poll.asked();
      failure = Optional.empty();
      begun = begun.or(() -> Optional.of(poll.answered()));
      seconds.pass(polled.minus(longer(lateness(), MARGIN)));
      notifyAll();
    }
  }

  /**
   * Returns when lines may have arrived at the latest. After a lost connection that is not when
   * they were read: what could not be read is not late.
   */
  private Instant arrived(Instant asked) {
    Instant latest = polled.equals(Instant.MIN) ? asked : polled.plus(PAUSE).plus(MARGIN);
    return failure.isPresent() && latest.isBefore(asked) ? latest : asked;
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  /**
   * Returns the longest time between a request's end and its line, in this window and the last;
   * without windows, in the last minute or two.
   */
  public synchronized Duration lateness() {
    return longer(lateness, latenessBefore);
  }

  private LineFormat formatAt(ZoneOffset zone) {
    try {
      return formats.at(zone);
    } catch (IllegalArgumentException unusable) {
      throw SlicewiseException.input(
          "format %s %s".formatted(formats.name(), unusable.getMessage()), "fix the format");
    }
  }

  private void take(String line, long arrived) {
    Optional<Request> read = format.orElseThrow().read(line);
    if (read.isEmpty()) {
      asides.add(new Aside(arrived, false));
      example = line;
      return;
    }
    Request request = read.get();
    all++;
    whole += request.isWholeSecond() ? 1 : 0;
    long start = request.startMicros() - clock.ahead().toNanos() / 1000;
    if (!filter.counts(request)) {
      asides.add(new Aside(start, true));
      return;
    }
    Seen seen = Seen.of(request, start, filter.label(request));
    long late = arrived - start - request.durationMicros();
    if (late > lateness.toNanos() / 1000) {
      lateness = Duration.ofNanos(1000 * late);
    }
    if (taken.filter(seen::startedIn).isPresent()) {
      unfinished++;
    }
    requests.add(seen);
    seconds.take(seen, format.orElseThrow().resolutionMicros());
  }

  private synchronized void lost(RemoteShellException why) {
    failure = Optional.of(why);
    notifyAll();
  }

  private synchronized void end(RuntimeException why) {
    closed = true;
    failure = Optional.of(why);
    notifyAll();
  }

  /**
   * Waits until the log is followed.
   *
   * @throws SlicewiseException or {@link RemoteShellException} if it cannot be
   */
  public synchronized void awaitBegun() {
    await(() -> begun.isPresent() || closed, PATIENCE);
    if (begun.isEmpty()) {
      throw failure.orElseGet(
          () ->
              new SlicewiseException(
                  ErrorKind.TRIAL_FAILED,
                  "the log's machine did not answer within " + DurationText.of(PATIENCE),
                  "check that it is up"));
    }
  }

  /**
   * Returns why no second is passed on now, as a clause: the connection is lost, or lines are late
   * or not understood. Empty if none is.
   */
  public synchronized Optional<String> trouble() {
    return failure
        .map(lost -> "no connection to the log's machine: " + lost.getMessage())
        .or(this::unreadable)
        .or(
            () ->
                Optional.of(lateness())
                    .filter(late -> late.compareTo(LATEST) > 0)
                    .map(AccessLog::late));
  }

  /** Returns that lines of the last minute are not understood, as a clause, if so many are not. */
  public synchronized Optional<String> unreadable() {
    long since = Seen.micros(Instant.now().minus(KEPT));
    long unread = asides.stream().filter(one -> !one.understood && one.micros >= since).count();
    if (unread == 0) {
      return Optional.empty();
    }
    long read = requests.stream().filter(seen -> seen.startMicros() >= since).count();
    return unread > READABLE * (unread + read)
        ? Optional.of(notUnderstood(unread, read))
        : Optional.empty();
  }

  /**
   * Does nothing while the log is followed, also if its connection is lost and opened again.
   *
   * @throws RuntimeException what ended the following of the log for good
   */
  public synchronized void refuseEnded() {
    if (closed && failure.isPresent()) {
      throw failure.get();
    }
  }

  private static String late(Duration late) {
    return "lines arrive up to %d s after their requests: set a shorter flush of the log's buffer"
        .formatted(late.toSeconds());
  }

  /** Forgets what ended some time before a window that begins now. */
  public void forget() {
    forget(Instant.now());
  }

  synchronized void forget(Instant now) {
    if (now.isAfter(latenessSince.plus(KEPT))) {
      latenessAnew(now);
    }
    long oldest = Seen.micros(now.minus(KEPT));
    requests =
        new ArrayList<>(
            requests.stream()
                .filter(seen -> seen.startMicros() + seen.durationMicros() >= oldest)
                .toList());
    asides = new ArrayList<>(asides.stream().filter(one -> one.micros >= oldest).toList());
  }

  /** Passes each second on when it is complete. */
  public void watch(LoggedSeconds.Listener listener) {
    synchronized (this) {
      seconds.listener(listener);
    }
  }

  /** Waits for the stragglers of a window that has ended, and returns what started in it. */
  public synchronized LoggedWindow read(Window window) {
    boolean whole = await(() -> isWhole(window), PATIENCE);
    List<Seen> within = requests.stream().filter(seen -> seen.startedIn(window)).toList();
    long unread = asides.stream().filter(one -> !one.understood && near(window, one)).count();
    LoggedWindow read =
        new LoggedWindow(
            within,
            unfinished,
            asides.stream().filter(one -> one.understood && near(window, one)).count(),
            unread,
            example,
            lateness,
            clock.ahead(),
            clock.bound(),
            faults(window, whole, within, unread));
    taken = Optional.of(window);
    unfinished = 0;
    latenessAnew(Instant.now());
    return read;
  }

  private void latenessAnew(Instant now) {
    latenessBefore = lateness;
    lateness = Duration.ZERO;
    latenessSince = now;
  }

  /** Returns whether a window can be read without waiting. */
  public synchronized boolean isComplete(Window window) {
    return isWhole(window) || Instant.now().isAfter(window.end().plus(PATIENCE));
  }

  private boolean isWhole(Window window) {
    return !polled.isBefore(window.end().plus(tail(window))) && isHeardOf(window);
  }

  /** Whether a request began after a window, or so long none did that its log may be silent. */
  private boolean isHeardOf(Window window) {
    Window around = around(window);
    long last =
        requests.stream()
            .mapToLong(Seen::startMicros)
            .filter(start -> start < Seen.micros(window.end()))
            .max()
            .orElse(Seen.micros(window.start()));
    return requests.stream().anyMatch(seen -> seen.startMicros() >= Seen.micros(window.end()))
        || Seen.micros(around.end()) >= last + Silence.SHORTEST_MICROS;
  }

  private static boolean near(Window window, Aside one) {
    return Seen.isWithin(window, one.micros);
  }

  /** How long after a window all but the longest of its requests have ended and are in the log. */
  private Duration tail(Window window) {
    long[] durations =
        requests.stream()
            .filter(seen -> seen.startedIn(window))
            .mapToLong(Seen::durationMicros)
            .sorted()
            .toArray();
    long longest =
        durations.length == 0 ? 0 : durations[(int) Math.ceil(TAIL * durations.length) - 1];
    Duration tail = Duration.ofNanos(1000 * longest).plus(lateness).plus(MARGIN);
    return tail.compareTo(PATIENCE) < 0 ? tail : PATIENCE;
  }

  private List<String> faults(Window window, boolean whole, List<Seen> within, long unread) {
    List<String> faults = new ArrayList<>();
    if (!whole) {
      faults.add(
          "the log could not be read to the window's end"
              + failure.map(why -> ": " + why.getMessage()).orElse(""));
    }
    if (begun.filter(since -> since.isAfter(window.start())).isPresent()) {
      faults.add("the log is followed only since the window's start");
    }
    gaps.stream()
        .filter(gap -> !gap.time.start().isAfter(window.end().plus(PATIENCE)))
        .filter(gap -> !gap.time.end().isBefore(window.start()))
        .map(Gap::why)
        .distinct()
        .forEach(faults::add);
    if (unread > READABLE * (unread + within.size())) {
      faults.add(notUnderstood(unread, within.size()));
    }
    if (clock.ahead().abs().compareTo(LARGEST_OFFSET) > 0) {
      faults.add(
          "the clock of the log's machine is %s %s this machine's: set it, by chrony or ntpd"
              .formatted(
                  DurationText.of(Duration.ofSeconds(clock.ahead().abs().toSeconds())),
                  clock.ahead().isNegative() ? "behind" : "ahead of"));
    }
    if (lateness.compareTo(LATEST) > 0) {
      faults.add(late(lateness));
    }
    // A pause is a reason only where no other explains it.
    if (faults.isEmpty()) {
      Silence.of(window, within, around(window)).ifPresent(faults::add);
    }
    return faults;
  }

  /** Returns the last start before a window, and the first one after it or until when none is. */
  private Window around(Window window) {
    long begin = Seen.micros(window.start());
    long end = Seen.micros(window.end());
    long before = begin;
    long after = Math.max(end, Seen.micros(polled.minus(lateness())));
    boolean any = false;
    for (Seen seen : requests) {
      long start = seen.startMicros();
      if (start < begin) {
        before = any ? Math.max(before, start) : start;
        any = true;
      } else if (start >= end) {
        after = Math.min(after, start);
      }
    }
    return new Window(instant(before), instant(after));
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private String notUnderstood(long unread, long understood) {
    return "%d of %d lines are not of format %s, such as '%s'%s"
        .formatted(
            unread,
            unread + understood,
            formats.name(),
            Visible.line(example.substring(0, Math.min(SHOWN, example.length()))),
            formats.why(example).map(why -> ": " + why).orElse(""));
  }

  private boolean await(BooleanSupplier over, Duration limit) {
    long until = System.nanoTime() + limit.toNanos();
    while (!over.getAsBoolean() && System.nanoTime() < until) {
      try {
        wait(Math.max(1, Math.min(200, (until - System.nanoTime()) / 1_000_000)));
      } catch (InterruptedException stopped) {
        Thread.currentThread().interrupt();
        return false;
      }
    }
    return over.getAsBoolean();
  }

  /** The names of the labels, in their order. */
  public List<String> labels() {
    return List.copyOf(selection.labels().keySet());
  }

  /** Returns what to know of the times in the log, as a sentence; empty without anything. */
  public synchronized Optional<String> note() {
    return Request.wholeSeconds(whole, all);
  }

  /** The smallest difference between two durations; the usual millisecond before the first line. */
  public synchronized long resolutionMicros() {
    return format.map(LineFormat::resolutionMicros).orElse(1000L);
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join(PATIENCE.toMillis());
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    follower.close();
  }

  /**
   * The clock of the log's machine against this machine's: of the exchanges of the last minutes,
   * the one with the shortest round trip counts, and half of that bounds the error. A step of
   * either clock is a change beyond the bounds.
   */
  static final class LogClock {
    private static final Duration REMEMBERED = Duration.ofMinutes(2);

    /** What two exchanges may differ by beyond their bounds. */
    private static final Duration STEP = Duration.ofMillis(300);

    private Duration ahead = Duration.ZERO;
    private Duration bound = REMEMBERED;
    private Instant measured = Instant.MIN;

    /** Takes an exchange; returns the step since the one before, as a clause, if there is one. */
    Optional<String> take(LogFollower.Poll poll) {
      Duration half = Duration.between(poll.asked(), poll.answered()).dividedBy(2);
      Duration offset = Duration.between(poll.asked().plus(half), poll.theirs());
      boolean first = measured.equals(Instant.MIN);
      Duration change = offset.minus(ahead);
      boolean stepped = !first && change.abs().compareTo(half.abs().plus(bound).plus(STEP)) > 0;
      if (first
          || stepped
          || half.compareTo(bound) <= 0
          || measured.plus(REMEMBERED).isBefore(poll.answered())) {
        ahead = offset;
        bound = half.abs();
        measured = poll.answered();
      }
      return stepped
          ? Optional.of(
              Phrase.of(
                  "a clock was set: that of the log's machine moved by %+.1f s against this"
                      + " machine's",
                  change.toNanos() / 1e9))
          : Optional.empty();
    }

    Duration ahead() {
      return ahead;
    }

    Duration bound() {
      return bound;
    }
  }
}
