package io.slicewise.sweep;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.load.LoadGenerator;
import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.units.SlicewiseException;
import io.slicewise.workload.Workload;
import io.slicewise.xen.Toolstack;
import io.slicewise.xen.XenException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One process's work on a run, from reading the settings found to putting them back.
 *
 * <p>A trial that fails is journalled and left for {@code resume}; several in a row end the run,
 * since nobody gains from a night of failures. A host out of reach is waited for, and the trial it
 * broke runs again.
 */
final class SweepRunner {
  private static final int FAILURES_IN_A_ROW = 5;
  private static final int LOSSES_OF_ONE_TRIAL = 3;

  private final Experiment experiment;
  private final RunDirectory run;
  private final SweepListener listener;
  private final StopRequest stop;
  private final Clock clock;
  private final Journal journal;
  private final HostSession session;
  private final SettingsGuard guard;
  private final Workload workload;
  private final TrialRunner trials;
  private final GeneratorQueue generators;
  private final HostWatch watch;
  private final Map<String, SchedulerParameters> restored = new LinkedHashMap<>();
  private boolean progressed;

  SweepRunner(
      Experiment experiment,
      RunDirectory run,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock,
      HostSession session,
      Journal journal) {
    this.experiment = experiment;
    this.run = run;
    this.listener = listener;
    this.stop = stop;
    this.clock = clock;
    this.journal = journal;
    this.session = session;
    this.guard = new SettingsGuard(session.toolstack(), journal, run.record(), clock);
    this.workload = ExperimentWorkload.of(experiment);
    this.trials = new TrialRunner(experiment, session, guard, workload, listener, stop, clock);
    this.generators = new GeneratorQueue(experiment, run, workload, generator);
    this.watch = new HostWatch(session.toolstack(), options.hostPatience(), stop, clock, listener);
  }

  RunOutcome run() {
    journal.append(
        new JournalEvent.RunStarted(
            clock.instant(),
            ThisProcess.machine(),
            ThisProcess.id(),
            ThisProcess.version(),
            session.shell().address()));
    guard.rememberFound();
    run.writeWhole(run.root().resolve("environment.json"), Environment.of(session, clock));
    Deque<Trial> pending = new ArrayDeque<>(pending());
    int planned = Plan.of(experiment).size();
    int done = planned - pending.size();
    Map<Scheduler, Integer> waiting = takeOutWaiting(pending);
    listener.runStarted(run, planned, done, pending.size(), words(waiting));
    RunState reached = runTrials(pending);
    RunState state = restored() ? settle(reached, waiting) : RunState.NOT_RESTORED;
    String sentence = sentence(state);
    journal.append(new JournalEvent.RunEnded(clock.instant(), state, sentence));
    RunOutcome outcome = new RunOutcome(state, waiting.keySet(), progressed, restored, sentence);
    listener.runEnded(outcome);
    return outcome;
  }

  private RunState runTrials(Deque<Trial> pending) {
    int failures = 0;
    Map<Trial, Integer> losses = new LinkedHashMap<>();
    try (generators) {
      while (!pending.isEmpty()) {
        if (stop.wish() != StopRequest.Wish.GO_ON) {
          return RunState.INTERRUPTED;
        }
        Trial trial = pending.poll();
        Outcome outcome = attempt(trial, Optional.ofNullable(pending.peek()));
        failures = outcome == Outcome.FAILED ? failures + 1 : 0;
        if (failures >= FAILURES_IN_A_ROW) {
          listener.notice(failures + " trials in a row failed; the run ends here");
          return RunState.TRIALS_FAILED;
        }
        if (outcome == Outcome.HOST_LOST) {
          if (losses.merge(trial, 1, Integer::sum) >= LOSSES_OF_ONE_TRIAL || !watch.awaitReturn()) {
            return RunState.HOST_LOST;
          }
          guard.rememberFound();
          pending.addFirst(trial);
        }
        stop.waitUntil(clock.instant().plus(experiment.coolDown()));
      }
      return RunState.DONE;
    } catch (StopRequest.StoppedNow now) {
      return RunState.INTERRUPTED;
    } catch (RemoteShellException lost) {
      return RunState.HOST_LOST;
    }
  }

  private enum Outcome {
    FINISHED,
    FAILED,
    HOST_LOST
  }

  private Outcome attempt(Trial trial, Optional<Trial> next) {
    listener.trialStarted(trial);
    try {
      GeneratorQueue.Ready ready = generators.take(trial);
      journal.append(new JournalEvent.TrialStarted(clock.instant(), trial.number(), trial.slug()));
      try (ready) {
        TrialResult result =
            trials.run(
                trial, ready.directory(), ready.load(), () -> next.ifPresent(generators::prepare));
        finish(result);
        return Outcome.FINISHED;
      }
    } catch (StopRequest.StoppedNow now) {
      abort(trial, "asked to stop");
      throw now;
    } catch (RemoteShellException lost) {
      abort(trial, lost.getMessage());
      journal.append(new JournalEvent.HostLost(clock.instant(), lost.getMessage()));
      listener.notice("lost the host: " + lost.getMessage());
      return Outcome.HOST_LOST;
    } catch (TrialFault | SlicewiseException | XenException fault) {
      return failed(trial, fault.getMessage());
    } catch (RuntimeException fault) {
      return failed(trial, "an internal fault: " + fault);
    }
  }

  private void finish(TrialResult result) {
    run.writeResult(result);
    Trial trial = result.trial();
    journal.append(
        new JournalEvent.TrialFinished(
            clock.instant(), trial.number(), trial.slug(), result.valid()));
    progressed = true;
    listener.trialFinished(result);
  }

  private void abort(Trial trial, String reason) {
    journal.append(
        new JournalEvent.TrialAborted(clock.instant(), trial.number(), trial.slug(), reason));
  }

  private Outcome failed(Trial trial, String reason) {
    journal.append(
        new JournalEvent.TrialFailed(clock.instant(), trial.number(), trial.slug(), reason));
    listener.trialFailed(trial, reason);
    return Outcome.FAILED;
  }

  private List<Trial> pending() {
    RunRecord record = run.record();
    return Plan.of(experiment).stream()
        .filter(trial -> !record.finished().contains(trial.number()))
        .toList();
  }

  /** Takes the trials out that need a scheduler the host does not run now; counts them by it. */
  private Map<Scheduler, Integer> takeOutWaiting(Deque<Trial> pending) {
    List<Toolstack.Setting> now = session.toolstack().settings();
    Map<Scheduler, Integer> waiting = new LinkedHashMap<>();
    List<Trial> runnable = new ArrayList<>();
    for (Trial trial : pending) {
      SettingsGuard.missingScheduler(experiment, Profiles.named(experiment, trial.profile()), now)
          .ifPresentOrElse(
              missing -> waiting.merge(missing, 1, Integer::sum), () -> runnable.add(trial));
    }
    pending.clear();
    pending.addAll(runnable);
    return waiting;
  }

  private static List<String> words(Map<Scheduler, Integer> waiting) {
    return waiting.entrySet().stream()
        .map(entry -> entry.getValue() + " trials need sched=" + entry.getKey().xenName())
        .toList();
  }

  /** Puts the host back, waiting for it if need be. */
  private boolean restored() {
    try {
      return restoreOnce();
    } catch (RemoteShellException lost) {
      listener.notice("lost the host before it was restored: " + lost.getMessage());
      return watch.awaitReturnEvenIfStopped() && restoreOnce();
    }
  }

  private boolean restoreOnce() {
    SettingsGuard.Restoration restoration = guard.restore();
    restored.putAll(restoration.restored());
    restoration
        .complaints()
        .forEach(
            (domain, complaint) -> listener.notice("not restored: " + domain + ": " + complaint));
    return restoration.complete();
  }

  private RunState settle(RunState reached, Map<Scheduler, Integer> waiting) {
    if (reached != RunState.DONE) {
      return reached;
    }
    if (!waiting.isEmpty()) {
      return RunState.NEEDS_REBOOT;
    }
    List<TrialResult> results = run.results();
    if (results.stream().noneMatch(TrialResult::valid)) {
      return RunState.NO_VALID_DATA;
    }
    return run.record().failed().isEmpty() ? RunState.DONE : RunState.TRIALS_FAILED;
  }

  private String sentence(RunState state) {
    int left = pending().size();
    return switch (state) {
      case NEEDS_REBOOT ->
          left + " trials need another scheduler: reboot the host into it, then resume";
      case INTERRUPTED, HOST_LOST, TRIALS_FAILED, NOT_RESTORED ->
          state.words() + "; " + left + " trials left";
      case DONE, NO_VALID_DATA, RUNNING -> state.words();
    };
  }
}
