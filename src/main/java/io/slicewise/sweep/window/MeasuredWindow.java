package io.slicewise.sweep.window;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import io.slicewise.run.TrialRules;
import io.slicewise.run.result.CutShort;
import io.slicewise.run.result.Surroundings;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A window under load, of a trial or of a session, with all that is known when it ends.
 *
 * @param lead the warm-up of a trial, or the wash-out since the change of settings
 * @param cut why a guard ended it early
 */
record MeasuredWindow(
    Trial trial,
    StepTimer steps,
    Window lead,
    Window window,
    ThisMachine machine,
    Optional<CutShort> cut) {
  /** Returns the same with its work as the window. */
  MeasuredWindow ofItsWork(Window work) {
    return new MeasuredWindow(trial, steps, lead, work, machine, cut);
  }

  /**
   * Returns what is known of its host.
   *
   * @param after settings read back at its end
   */
  TrialHost host(
      HostSession session,
      Map<String, SchedulerParameters> asked,
      Map<String, SchedulerParameters> after,
      Surroundings around) {
    return new TrialHost(
        session.host().pcpus(),
        asked,
        after,
        Optional.of(around),
        machine.labLatenessMillis(),
        machine.otherWorkShare());
  }

  /** Returns its result, judged by the experiment's rules. */
  TrialResult result(
      Experiment experiment, TrialHost host, TrialLoad load, List<Observation> seen) {
    TrialTimes times = new TrialTimes(lead, window, steps.seconds(), cut);
    TrialResult result = new TrialResult(trial, times, host, load, seen);
    return result.judged(TrialRules.judge(experiment, result));
  }

  /**
   * Measures a window: counters are read at both of its ends, and the load goes on until those of
   * the end are read.
   *
   * @param harm may end it before
   */
  record Measuring(
      Sitting sitting,
      HostSession session,
      Followed followed,
      Watches watches,
      StepTimer steps,
      Trial trial,
      WindowGuard harm) {
    /**
     * Waits for the start and measures from then on, as long as the experiment asks.
     *
     * @param step in which it waits
     * @param began when that step began
     * @param begins begins the window of the outcomes
     */
    MeasuredWindow after(SweepListener.Step step, Instant began, Instant start, Runnable begins) {
      Duration length = sitting.experiment().measure(trial);
      Consumer<Instant> waiter = until -> followed.until(until, trial, step, harm::isGiven);
      watches.beginAhead(new Window(start, start.plus(length)), waiter);
      waiter.accept(start);
      harm.restoreIfGiven();
      harm.measure();
      Instant now = sitting.now();
      Instant end = now.plus(length);
      begins.run();
      watches.begin(end);
      Strain strain = strain();
      steps.enter(SweepListener.Step.MEASURE, length);
      followed.until(end, trial, SweepListener.Step.MEASURE, harm::isGiven);
      Window window = new Window(now, sitting.now());
      harm.ended();
      return ended(strain, new Window(began, now), window);
    }

    /**
     * Measures from before the first request until the users have done their work.
     *
     * @param begins begins the load and the window of its outcomes, and returns who follows it
     */
    MeasuredWindow work(Supplier<Followed> begins) {
      Instant began = sitting.now();
      Duration longest = sitting.experiment().measure();
      Instant latest = began.plus(longest);
      watches.begin(latest);
      Strain strain = strain();
      Followed load = begins.get();
      steps.enter(SweepListener.Step.MEASURE, longest);
      load.done(latest, trial, SweepListener.Step.MEASURE);
      return ended(strain, new Window(began, began), new Window(began, sitting.now()));
    }

    private Strain strain() {
      return Strain.atBeginning(session.shell(), sitting.experiment());
    }

    private MeasuredWindow ended(Strain strain, Window lead, Window window) {
      watches.end();
      return new MeasuredWindow(trial, steps, lead, window, strain.now(), harm.cut());
    }
  }
}
