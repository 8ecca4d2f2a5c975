package io.slicewise.cli.commands;

import io.slicewise.base.units.SlicewiseException;
import io.slicewise.cli.lab.EmbeddedHost;
import io.slicewise.cli.lab.TuneCandidates;
import io.slicewise.cli.options.OutputOptions;
import io.slicewise.cli.options.Verbosity;
import io.slicewise.cli.screens.AnswerScreen;
import io.slicewise.cli.screens.ErrorPrinter;
import io.slicewise.cli.screens.ExitCode;
import io.slicewise.cli.screens.LivePane;
import io.slicewise.cli.screens.NextStep;
import io.slicewise.cli.screens.ProgressScreen;
import io.slicewise.cli.screens.ProgressScreen.ExperimentPart;
import io.slicewise.cli.screens.RunEnd;
import io.slicewise.cli.screens.Terminal;
import io.slicewise.experiment.Experiment;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.report.Reports;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.RunState;
import io.slicewise.sweep.GuestMemory;
import io.slicewise.sweep.LoadGenerators;
import io.slicewise.sweep.Sweep;
import io.slicewise.sweep.guard.SweepOptions;
import io.slicewise.sweep.preflight.GuestPatterns;
import io.slicewise.sweep.source.TuneSource;
import io.slicewise.tune.course.TuneRuns;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.Timer;
import java.util.TimerTask;

/**
 * Runs a sweep interactively: progress, interrupts, and tables at the end. Shared by {@code run},
 * {@code resume} and {@code demo}.
 */
public final class RunConsole {
  private final PrintWriter out;
  private final PrintWriter err;
  private final OutputOptions output;
  private final Verbosity verbosity;
  private final SweepOptions options;
  private Optional<RunDirectory> calibration = Optional.empty();
  private Optional<RunDirectory> ended = Optional.empty();
  private final Clock clock = Clock.system(ZoneId.systemDefault());

  public RunConsole(
      PrintWriter out,
      PrintWriter err,
      OutputOptions output,
      Verbosity verbosity,
      SweepOptions options) {
    this.out = out;
    this.err = err;
    this.output = output;
    this.verbosity = verbosity;
    this.options = options;
  }

  /** Returns a console that calibrates the simulation of a tune from an earlier run. */
  RunConsole calibratedBy(Optional<RunDirectory> run) {
    calibration = run;
    return this;
  }

  /** Returns the run that ended last; empty if none did. */
  public Optional<RunDirectory> ended() {
    return ended;
  }

  /** Starts a new run in {@code results} and prints its end. Returns the exit code. */
  public int begin(Experiment experiment, Path results) {
    return print(List.of(run(experiment, ExperimentPart.ONLY, Optional.empty(), results)));
  }

  /**
   * Starts a new run for each experiment while they are measured, if on a busy machine. Returns the
   * first exit code that is not 0.
   */
  int beginAll(List<Experiment> experiments, Path results) {
    List<RunEnd> ends = new ArrayList<>();
    for (int number = 1; number <= experiments.size(); number++) {
      ExperimentPart part = ExperimentPart.of(experiments, number);
      ends.add(run(experiments.get(number - 1), part, Optional.empty(), results));
      int code = ends.get(ends.size() - 1).facts().exitCode();
      if (code != ExitCode.OK.code() && code != ExitCode.TOO_BUSY.code()) {
        break;
      }
    }
    return print(ends);
  }

  /** Resumes a run and prints its end. Returns the exit code. */
  int resume(RunDirectory run, Experiment experiment) {
    return print(
        List.of(
            run(
                experiment,
                ExperimentPart.ONLY,
                Optional.of(run),
                run.root().toAbsolutePath().getParent())));
  }

  private RunEnd run(
      Experiment written, ExperimentPart part, Optional<RunDirectory> existing, Path results) {
    StopRequest stop = new StopRequest(clock);
    ProgressScreen progress = new ProgressScreen(err, pane(), output.plain(), clock, written, part);
    SweepListener screen = output.quiet() ? new SweepListener() {} : progress;
    try (progress;
        Ticks ticks = new Ticks(progress::tick);
        Interrupts interrupts =
            new Interrupts(stop, wish -> progress.notice(words(wish, written)));
        EmbeddedHost host = EmbeddedHost.forExperiment(written);
        LoadGenerator generator = LoadGenerators.of(host.experiment())) {
      host.notes().forEach(screen::remark);
      Sweep sweep =
          existing
              .map(run -> resume(run, host, generator, screen, stop))
              .orElseGet(() -> first(host, generator, results, screen, stop));
      RunOutcome outcome = sweep.execute();
      boolean worthwhile = true;
      while (worthwhile
          && outcome.state() == RunState.NEEDS_REBOOT
          && host.rebootInto(outcome.waitingFor())) {
        screen.notice("the lab has rebooted; the run continues");
        outcome = resume(sweep.run(), host, generator, screen, stop).execute();
        worthwhile = outcome.progressed();
      }
      return end(sweep.run(), outcome);
    }
  }

  /** Prints why a run that is over does not go on. Returns the exit code. */
  int startNothing(RunDirectory run, String why) {
    String sentence = why + "; nothing was started";
    RunOutcome outcome = new RunOutcome(RunState.DONE, Set.of(), false, Map.of(), sentence);
    output.print(
        RunEnd.of(run, outcome, Optional.empty(), ExitCode.OK).facts(),
        () -> List.of(sentence, "next  " + NextStep.after(RunState.DONE, run)));
    return ExitCode.OK.code();
  }

  /** Reports a run and prints its end. Returns the exit code. */
  public int finish(RunDirectory run, RunOutcome outcome) {
    return print(List.of(end(run, outcome)));
  }

  /**
   * Prints the end of one run, or of several on one screen. Returns the first fault's exit code.
   */
  private int print(List<RunEnd> ends) {
    if (output.json()) {
      ends.forEach(end -> out.println(end.json()));
    } else {
      int width = Terminal.tableWidth();
      if (verbosity.verbose()) {
        ends.forEach(end -> end.everything(width).forEach(out::println));
        out.println();
      }
      AnswerScreen.lines(ends, width).forEach(out::println);
    }
    return ends.stream()
        .mapToInt(end -> end.facts().exitCode())
        .filter(code -> code != ExitCode.OK.code())
        .findFirst()
        .orElse(ExitCode.OK.code());
  }

  /**
   * A failed report changes the exit code only if the run succeeded, and so does the answer: that
   * of a tune, and of every run that a machine was too busy for.
   */
  private RunEnd end(RunDirectory run, RunOutcome outcome) {
    ended = Optional.of(run);
    ExitCode code = ExitCode.of(outcome.state());
    Optional<Reports.Written> written = Optional.empty();
    try {
      written = Optional.of(Reports.write(run));
    } catch (SlicewiseException fault) {
      ExitCode failed = ErrorPrinter.print(err, fault);
      code = code == ExitCode.OK ? failed : code;
    }
    if (code == ExitCode.OK && written.isPresent()) {
      ExitCode answered = ExitCode.of(written.get().advice().answer(), true);
      boolean tune = written.get().tune().isPresent();
      code = tune || answered == ExitCode.TOO_BUSY ? answered : code;
    }
    return RunEnd.of(run, outcome, written, code);
  }

  private Sweep first(
      EmbeddedHost host,
      LoadGenerator generator,
      Path results,
      SweepListener screen,
      StopRequest stop) {
    Experiment experiment =
        GuestMemory.sized(GuestPatterns.resolved(host.experiment()), screen::notice);
    return tuned(
        Sweep.begin(experiment, results, options, screen, stop, generator, clock),
        experiment,
        screen);
  }

  /** A tune decides from its results what to run. */
  private Sweep tuned(Sweep sweep, Experiment experiment, SweepListener screen) {
    return experiment.tuning().isEmpty()
        ? sweep
        : sweep.from(
            TuneSource.of(
                experiment,
                new TuneCandidates(experiment, sweep.run(), calibration, screen::remark),
                TuneRuns.nights(sweep.run().events())));
  }

  private Sweep resume(
      RunDirectory run,
      EmbeddedHost host,
      LoadGenerator generator,
      SweepListener screen,
      StopRequest stop) {
    return tuned(
        Sweep.resume(run, host.experiment(), options, screen, stop, generator, clock),
        host.experiment(),
        screen);
  }

  private Optional<LivePane> pane() {
    return Terminal.isInteractive() && !output.plain() && !output.quiet()
        ? Optional.of(new LivePane(err, Terminal.width()))
        : Optional.empty();
  }

  private static String words(StopRequest.Wish wish, Experiment experiment) {
    return wish == StopRequest.Wish.NOW
        ? "stopping now; the host is being restored"
        : "stopping after this %s; Ctrl-C again stops now".formatted(experiment.unit());
  }

  /** Runs a task once a second until closed. */
  private static final class Ticks implements AutoCloseable {
    private static final long SECOND_MILLIS = 1_000;

    private final Timer timer = new Timer("screen", true);

    Ticks(Runnable action) {
      timer.schedule(
          new TimerTask() {
            @Override
            public void run() {
              action.run();
            }
          },
          SECOND_MILLIS,
          SECOND_MILLIS);
    }

    @Override
    public void close() {
      timer.cancel();
    }
  }
}
