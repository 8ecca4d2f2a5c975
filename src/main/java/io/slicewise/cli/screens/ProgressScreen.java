package io.slicewise.cli.screens;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.Phrase;
import io.slicewise.base.units.Plural;
import io.slicewise.cli.screens.LiveRows.ChangedSettings;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.load.generator.LoadProgress;
import io.slicewise.report.table.Wrap;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.SweepListener;
import io.slicewise.run.SweepListener.Outlook;
import io.slicewise.run.result.PairedStudy;
import io.slicewise.run.result.Precision;
import io.slicewise.run.result.TrialResult;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Shows the progress of a run on standard error: on a terminal as a few live lines that leave one
 * line when the run ends, elsewhere as a line for each tenth of the run, or for each event if asked
 * for. Reasons of invalid and failed trials are printed once each. Uses no colour.
 */
public final class ProgressScreen implements SweepListener, AutoCloseable {
  private static final Duration SHORTEST_TENTH = Duration.ofSeconds(30);

  private final PrintWriter err;
  private final Optional<LivePane> pane;
  private final boolean everyEvent;
  private final Clock clock;
  private final String name;
  private final TimeLeft pace;
  private final boolean reboots;
  private final LiveRows rows;
  private final Set<String> told = new HashSet<>();
  private Optional<RunDirectory> run = Optional.empty();
  private int toRun;
  private int ended;
  private int invalid;
  private int tenths;
  private Duration printed = Duration.ZERO;
  private boolean live;

  /**
   * @param pane empty if lines cannot be redrawn
   * @param everyEvent whether each event is a line, if they cannot
   */
  public ProgressScreen(
      PrintWriter err,
      Optional<LivePane> pane,
      boolean everyEvent,
      Clock clock,
      Experiment experiment,
      ExperimentPart part) {
    this.err = err;
    this.pane = pane;
    this.everyEvent = everyEvent;
    this.clock = clock;
    this.name = part.of() == 1 ? experiment.name() : experiment.name() + ", " + part.text();
    this.pace = new TimeLeft(clock, experiment, part);
    this.reboots = experiment.lab().isPresent();
    this.rows = new LiveRows(experiment, part, pace);
  }

  /** Counts the trials this process will run, including those for which a lab is rebooted. */
  @Override
  public synchronized void runStarted(
      RunDirectory directory, int trials, int done, int runnable, List<String> notRunnable) {
    int ahead = reboots ? trials - done : runnable;
    toRun = ended + ahead;
    run = Optional.of(directory);
    live = true;
    if (pane.isEmpty()) {
      line(
          Phrase.of(
              "%s: %d of %d %ss to run, %d already done | left %s | %s",
              name, ahead, trials, rows.unit(), done, rows.left(clock, ahead), directory.root()));
    }
    notRunnable.forEach(words -> line((reboots ? "after a reboot: " : "not now: ") + words));
    redraw();
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
    if (pane.isEmpty() && (everyEvent || isTenth())) {
      line(
          "%s | %s | left %s"
              .formatted(
                  head(result.trial()), rows.numbers(result), rows.left(clock, toRun - ended)));
    }
    invalid += result.valid() ? 0 : 1;
    result.reasons().forEach(reason -> complaint(result.trial(), "INVALID: " + reason));
    redraw();
  }

  /** Returns whether another tenth of the run has passed, and prints no two of them at once. */
  private boolean isTenth() {
    int now = (int) (10 * pace.share(toRun - ended));
    if (now <= tenths || pace.elapsed().minus(printed).compareTo(SHORTEST_TENTH) < 0) {
      return false;
    }
    tenths = now;
    printed = pace.elapsed();
    return true;
  }

  /** Prints a complaint; of those that differ only in numbers the first. */
  private void complaint(Trial trial, String text) {
    if (everyEvent) {
      line("    " + text);
    } else if (told.add(text.replaceAll("[0-9]+(\\.[0-9]+)?", "#"))) {
      line(TrialWords.name(trial) + ": " + text);
    }
  }

  @Override
  public synchronized void queuedAgain(Trial trial, int repeat, int most) {
    toRun++;
    rows.queuedAgain(repeat, most);
    event("    queued again, " + repeat + " of " + most);
  }

  @Override
  public synchronized void precision(Precision precision) {
    rows.precision(precision);
    redraw();
  }

  @Override
  public synchronized void study(PairedStudy study) {
    rows.study(study);
    redraw();
  }

  @Override
  public synchronized void blockAdded(int block, int trials, Precision precision) {
    toRun += trials;
    event(
        Phrase.of(
            "block %d of at most %d: %d more %ss | precise already: %s",
            block, precision.stop().trials(), trials, rows.unit(), precision.text()));
  }

  @Override
  public synchronized void trialsAdded(int trials) {
    toRun += trials;
    // The part of the run that is over shrinks, and its tenths come again.
    tenths = Math.min(tenths, (int) (10 * pace.share(toRun - ended)));
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
                ? ", " + DurationText.rough(outlook.secondsLeft()) + " left of the budget"
                : "");
    pace.budget(outlook.secondsLeft());
    rows.race(text);
    event(text);
  }

  @Override
  public synchronized void trialFailed(Trial trial, String reason) {
    ended++;
    pace.trialEnded();
    rows.failed(trial, ended, reason);
    event(head(trial) + " | FAILED");
    complaint(trial, everyEvent ? reason : "FAILED: " + reason);
  }

  @Override
  public synchronized void notice(String sentence) {
    line(sentence);
  }

  /** Shows a remark in the live lines, or as an event. */
  @Override
  public synchronized void remark(String sentence) {
    rows.remark(sentence);
    event(sentence);
  }

  /** Prints the one line that a run leaves. */
  @Override
  public synchronized void runEnded(RunOutcome outcome) {
    live = false;
    line(
        "%s: %s in %s%s | %s"
            .formatted(
                name,
                Plural.of(ended, rows.unit()),
                DurationText.clock(pace.elapsed()),
                invalid == 0 ? "" : ", " + invalid + " invalid",
                outcome.sentence()));
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

  /** Prints an event as a line where each event is one; a pane shows it in its rows. */
  private void event(String text) {
    if (pane.isEmpty() && everyEvent) {
      line(text);
    }
    redraw();
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

  /**
   * The place of an experiment among those that one command runs.
   *
   * @param number counted from 1
   * @param of how many there are
   * @param later the planned time of those after it
   */
  public record ExperimentPart(int number, int of, Duration later) {
    /** The only experiment of a command. */
    public static final ExperimentPart ONLY = new ExperimentPart(1, 1, Duration.ZERO);

    /** Returns the part with that number. */
    public static ExperimentPart of(List<Experiment> experiments, int number) {
      return new ExperimentPart(
          number,
          experiments.size(),
          experiments.stream()
              .skip(number)
              .map(TimeLeft::planned)
              .reduce(Duration.ZERO, Duration::plus));
    }

    /** {@code part 1 of 2}; empty of the only one. */
    String text() {
      return of == 1 ? "" : "part %d of %d".formatted(number, of);
    }
  }
}
