package io.slicewise.cli.screens;

import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.report.TuneReport;
import io.slicewise.report.Wrap;
import io.slicewise.run.Outlook;
import io.slicewise.run.Precision;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.SweepListener;
import io.slicewise.run.TrialResult;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Optional;

/**
 * Prints the progress of a run on standard error: one line per event and, on a terminal, a few live
 * lines below. Uses no colour.
 */
public final class ProgressScreen implements SweepListener, AutoCloseable {
  private final PrintWriter err;
  private final Optional<LivePane> pane;
  private final Clock clock;
  private final TimeLeft pace;
  private final boolean reboots;
  private final LiveRows rows;
  private Optional<RunDirectory> run = Optional.empty();
  private int toRun;
  private int ended;
  private boolean live;

  /**
   * @param pane empty if lines cannot be redrawn
   */
  public ProgressScreen(
      PrintWriter err, Optional<LivePane> pane, Clock clock, Experiment experiment) {
    this.err = err;
    this.pane = pane;
    this.clock = clock;
    this.pace = new TimeLeft(clock, experiment);
    this.reboots = experiment.lab().isPresent();
    this.rows = new LiveRows(experiment, pace);
  }

  /** Counts the trials this process will run, including those for which a lab is rebooted. */
  @Override
  public synchronized void runStarted(
      RunDirectory directory, int trials, int done, int runnable, List<String> notRunnable) {
    int ahead = reboots ? trials - done : runnable;
    toRun = ended + ahead;
    run = Optional.of(directory);
    live = true;
    line(
        Phrase.of(
            "run %s: %d of %d %ss to run, %d already done",
            directory.root(), ahead, trials, rows.unit(), done));
    notRunnable.forEach(words -> line((reboots ? "after a reboot: " : "not now: ") + words));
  }

  @Override
  public synchronized void trialStarted(Trial trial) {
    pace.trialStarted();
    rows.enter(trial, "starting", Duration.ZERO, clock.instant());
    redraw();
  }

  @Override
  public synchronized void step(Trial trial, Step step, Duration expected) {
    if (step == Step.SET_UP && pane.isPresent()) {
      run.map(ChangedSettings::of).ifPresent(rows::safe);
    }
    rows.enter(trial, step.text(), expected, clock.instant());
    redraw();
  }

  @Override
  public synchronized void progress(Trial trial, Step step, Duration elapsed, LoadProgress load) {
    rows.load(load);
    redraw();
  }

  /** Updates the clocks; called once a second. */
  public synchronized void tick() {
    redraw();
  }

  @Override
  public synchronized void trialFinished(TrialResult result) {
    ended++;
    pace.trialEnded();
    rows.finished(result, ended);
    String left = " | left " + rows.left(clock, toRun - ended);
    String line = head(result.trial()) + " | " + rows.numbers(result);
    line(pane.isPresent() ? line : line + left);
    result.reasons().forEach(reason -> line("    INVALID: " + reason));
  }

  @Override
  public synchronized void queuedAgain(Trial trial, int repeat, int most) {
    toRun++;
    rows.queuedAgain(repeat, most);
    line("    queued again, " + repeat + " of " + most);
  }

  @Override
  public synchronized void precision(Precision precision) {
    rows.precision(precision);
    redraw();
  }

  @Override
  public synchronized void blockAdded(int block, int trials, Precision precision) {
    toRun += trials;
    line(
        Phrase.of(
            "block %d of at most %d: %d more %ss | precise already: %s",
            block, precision.stop().trials(), trials, rows.unit(), precision.text()));
  }

  @Override
  public synchronized void trialsAdded(int trials) {
    toRun += trials;
    redraw();
  }

  @Override
  public synchronized void outlook(Outlook outlook) {
    String text =
        Phrase.of(
            "%s in the race%s%s",
            Plural.of(outlook.racing(), "candidate"),
            outlook.best().isEmpty()
                ? ""
                : Phrase.of(", best %s with P >= %.2f", outlook.best(), outlook.probability()),
            Double.isFinite(outlook.secondsLeft())
                ? ", " + TuneReport.hours(outlook.secondsLeft()) + " left of the budget"
                : "");
    rows.race(text);
    if (pane.isEmpty()) {
      line(text);
    }
    redraw();
  }

  @Override
  public synchronized void trialFailed(Trial trial, String reason) {
    ended++;
    pace.trialEnded();
    rows.failed(trial, ended, reason);
    line(head(trial) + " | FAILED");
    line("    " + reason);
  }

  @Override
  public synchronized void notice(String sentence) {
    line(sentence);
  }

  @Override
  public synchronized void runEnded(RunOutcome outcome) {
    live = false;
    line(outcome.sentence());
  }

  /** Removes the live lines. */
  @Override
  public synchronized void close() {
    live = false;
    pane.ifPresent(LivePane::clear);
    err.flush();
  }

  private String head(Trial trial) {
    return ended + "/" + toRun + " " + TrialWords.name(trial);
  }

  private void line(String text) {
    pane.ifPresent(LivePane::clear);
    int width = pane.map(LivePane::width).orElseGet(Terminal::tableWidth);
    Wrap.lines(text, "", "    ", width).forEach(err::println);
    redraw();
  }

  private void redraw() {
    if (live) {
      pane.ifPresent(
          drawn -> drawn.draw(rows.lines(ZonedDateTime.now(clock), ended, toRun, drawn.width())));
    }
  }
}
