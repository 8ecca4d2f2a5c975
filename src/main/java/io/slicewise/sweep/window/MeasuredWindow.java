package io.slicewise.sweep.window;

import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.observe.Observation;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.SweepListener;
import io.slicewise.run.TrialRules;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialHost.Surroundings;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import io.slicewise.run.result.TrialTimes.CutShort;
import io.slicewise.run.validity.TrialFacts.ThisMachine;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

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

  /** What a window suffers from this machine: a late lab, and other programs that use its CPU. */
  private record Strain(HostLateness lateness, Optional<MachineUse> before) {
    /** Begins with the window. */
    static Strain atBeginning(RemoteShell shell, Experiment experiment) {
      return new Strain(
          HostLateness.atBeginning(shell),
          MachineUse.matters(experiment) ? Optional.of(MachineUse.read()) : Optional.empty());
    }

    /** Returns both since the beginning of the window. */
    ThisMachine now() {
      return new ThisMachine(
          lateness.p99Millis(),
          before.map(then -> MachineUse.read().othersSince(then)).orElse(Double.NaN));
    }
  }

  /**
   * The lateness of a lab in carrying out its schedulers' decisions during a window. A lab
   * publishes it in a file, whether a run started it or uses its address; a real host has no such
   * file and is never late.
   */
  private static final class HostLateness {
    private static final Command READING =
        Command.reading("cat", "/run/slicewise-lab/lateness").within(Duration.ofSeconds(10));

    private final RemoteShell shell;
    private final Optional<Histogram> before;

    private HostLateness(RemoteShell shell) {
      this.shell = shell;
      this.before = read();
    }

    /** Reads the lateness at the start of the window. */
    static HostLateness atBeginning(RemoteShell shell) {
      return new HostLateness(shell);
    }

    /** Returns the 99th percentile since the start of the window; {@code NaN} if unknown. */
    double p99Millis() {
      if (before.isEmpty()) {
        return Double.NaN;
      }
      return read()
          .filter(now -> now.getTotalCount() > before.get().getTotalCount())
          .map(now -> since(before.get(), now).getValueAtPercentile(99))
          .map(nanos -> (double) nanos / TimeUnit.MILLISECONDS.toNanos(1))
          .orElse(Double.NaN);
    }

    private static Histogram since(Histogram earlier, Histogram now) {
      now.subtract(earlier);
      return now;
    }

    private Optional<Histogram> read() {
      try {
        CommandResult answer = shell.run(READING);
        return answer.exitStatus() == 0 ? decode(answer.standardOutput()) : Optional.empty();
      } catch (RemoteShellException lost) {
        return Optional.empty(); // the trial itself notices a lost host
      }
    }

    private static Optional<Histogram> decode(String text) {
      try {
        ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(text.strip()));
        return Optional.of(Histogram.decodeFromCompressedByteBuffer(bytes, 0));
      } catch (DataFormatException | RuntimeException otherText) {
        return Optional.empty();
      }
    }
  }
}
