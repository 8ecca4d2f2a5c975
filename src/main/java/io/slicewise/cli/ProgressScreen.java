package io.slicewise.cli;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.load.LoadProgress;
import io.slicewise.monitor.DomainShares;
import io.slicewise.report.Wrap;
import io.slicewise.sweep.LoadResult;
import io.slicewise.sweep.Precision;
import io.slicewise.sweep.RunDirectory;
import io.slicewise.sweep.RunOutcome;
import io.slicewise.sweep.SweepListener;
import io.slicewise.sweep.TrialResult;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The progress of a run on standard error: one line an event, and on a terminal one live line below
 * that is redrawn. Uses no colour.
 */
final class ProgressScreen implements SweepListener {
  private static final String CLEAR_LINE = "\r\033[K";
  private static final DateTimeFormatter CLOCK_TIME =
      DateTimeFormatter.ofPattern("EEE HH:mm", Locale.ROOT);

  private final PrintWriter err;
  private final boolean live;
  private final int width;
  private final Clock clock;
  private final Pace pace;
  private final boolean reboots;
  private int toRun;
  private int ended;
  private String shares = "";
  private String precise = "";

  ProgressScreen(PrintWriter err, boolean live, int width, Clock clock, Experiment experiment) {
    this.err = err;
    this.live = live;
    this.width = width;
    this.clock = clock;
    this.pace = new Pace(clock, experiment);
    this.reboots = experiment.lab().isPresent();
  }

  /** Counts the trials this process will run: a lab is rebooted for those that wait for it. */
  @Override
  public synchronized void runStarted(
      RunDirectory run, int trials, int done, int runnable, List<String> notRunnable) {
    int ahead = reboots ? trials - done : runnable;
    toRun = ended + ahead;
    line(
        "run "
            + run.root()
            + ": "
            + ahead
            + " of "
            + trials
            + " trials to run, "
            + done
            + " done before");
    notRunnable.forEach(words -> line((reboots ? "after a reboot: " : "not now: ") + words));
  }

  @Override
  public synchronized void trialStarted(Trial trial) {
    pace.trialStarted();
    redraw(head(trial) + " | starting");
  }

  @Override
  public synchronized void step(Trial trial, Step step, Duration expected) {
    redraw(head(trial) + " | " + step.words());
  }

  @Override
  public synchronized void progress(Trial trial, Step step, Duration elapsed, LoadProgress load) {
    redraw(
        head(trial)
            + " | "
            + step.words()
            + " "
            + seconds(elapsed)
            + (load.samples() > 0 || load.activeUsers() > 0 ? " | " + rate(load) : "")
            + " | left "
            + left()
            + precise
            + (shares.isEmpty() ? "" : " | last: " + shares));
  }

  @Override
  public synchronized void trialFinished(TrialResult result) {
    ended++;
    pace.trialEnded();
    shares = shares(result);
    line(
        head(result.trial(), ended)
            + " | "
            + result.load().map(ProgressScreen::numbers).orElse("observed")
            + " | left "
            + left());
    result.reasons().forEach(reason -> line("    INVALID: " + reason));
  }

  @Override
  public synchronized void queuedAgain(Trial trial, int repeat, int most) {
    toRun++;
    line("    queued again, " + repeat + " of " + most);
  }

  @Override
  public synchronized void precision(Precision precision) {
    precise = " | precise already: " + precision.precise() + " of " + precision.cells().size();
  }

  @Override
  public synchronized void blockAdded(int block, int trials, Precision precision) {
    toRun += trials;
    line(
        "block "
            + block
            + " of at most "
            + precision.stop().trials()
            + ": "
            + trials
            + " more trials | precise already: "
            + precision.words());
  }

  @Override
  public synchronized void trialFailed(Trial trial, String reason) {
    ended++;
    pace.trialEnded();
    line(head(trial, ended) + " | FAILED");
    line("    " + reason);
  }

  @Override
  public synchronized void notice(String sentence) {
    line(sentence);
  }

  @Override
  public synchronized void runEnded(RunOutcome outcome) {
    line(outcome.sentence());
  }

  private String head(Trial trial) {
    return head(trial, Math.min(ended + 1, toRun));
  }

  private String head(Trial trial, int number) {
    return String.format(
        Locale.ROOT,
        "%d/%d %s%s r%d",
        number,
        toRun,
        trial.profile(),
        trial.users() > 0 ? " u" + trial.users() : "",
        trial.repetition());
  }

  private static String rate(LoadProgress load) {
    return number("%.0f/s", load.ratePerSecond()) + " p95 " + number("%.0f ms", load.p95Millis());
  }

  private static String numbers(LoadResult load) {
    double errors = load.samples() == 0 ? Double.NaN : 100.0 * load.failed() / load.samples();
    return number("%.1f/s", load.throughput())
        + " mean "
        + number("%.1f ms", load.meanMillis())
        + " p95 "
        + number("%.0f ms", load.p95Millis())
        + " err "
        + number("%.1f %%", errors);
  }

  private static String number(String format, double value) {
    return Double.isFinite(value) ? String.format(Locale.ROOT, format, value) : "–";
  }

  /** Run shares of the last finished trial, busiest domain first, as many as fit a line. */
  private static String shares(TrialResult result) {
    return result.monitor().shares().stream()
        .filter(share -> !Double.isNaN(share.run()))
        .sorted((a, b) -> Double.compare(b.run(), a.run()))
        .limit(3)
        .map(ProgressScreen::share)
        .collect(Collectors.joining(", "));
  }

  private static String share(DomainShares share) {
    return String.format(Locale.ROOT, "%s run %.0f %%", share.domain(), 100 * share.run());
  }

  private String left() {
    Duration left = pace.left(toRun - ended);
    return seconds(left) + " -> " + CLOCK_TIME.format(ZonedDateTime.now(clock).plus(left));
  }

  static String seconds(Duration duration) {
    long total = duration.toSeconds();
    return total < 3600
        ? String.format(Locale.ROOT, "%d:%02d", total / 60, total % 60)
        : String.format(Locale.ROOT, "%d h %02d m", total / 3600, total % 3600 / 60);
  }

  private void line(String text) {
    err.print(live ? CLEAR_LINE : "");
    Wrap.lines(text, "", "    ", Wrap.WIDTH).forEach(err::println);
    err.flush();
  }

  private void redraw(String text) {
    if (live) {
      err.print(CLEAR_LINE + (text.length() < width ? text : text.substring(0, width - 1)));
      err.flush();
    }
  }

  /** Estimates the time left from the windows to come and the overhead seen so far. */
  private static final class Pace {
    private final Clock clock;
    private final Duration nominal;
    private long started;
    private long spent;
    private int trials;

    Pace(Clock clock, Experiment experiment) {
      this.clock = clock;
      this.nominal = Plan.trialTime(experiment);
    }

    void trialStarted() {
      started = clock.millis();
    }

    void trialEnded() {
      spent += clock.millis() - started;
      trials++;
    }

    Duration left(int remaining) {
      Duration each = trials == 0 ? nominal : Duration.ofMillis(spent / trials);
      return each.multipliedBy(remaining);
    }
  }
}
