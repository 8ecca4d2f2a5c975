package io.slicewise.sweep;

import io.slicewise.base.units.ExitCode;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.host.HypervisorException;
import io.slicewise.load.generator.LoadGenerator;
import io.slicewise.run.Course;
import io.slicewise.run.Design;
import io.slicewise.run.Environment;
import io.slicewise.run.Journal;
import io.slicewise.run.JournalEvent;
import io.slicewise.run.Precision;
import io.slicewise.run.RunDirectory;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.RunRecord;
import io.slicewise.run.RunState;
import io.slicewise.run.StopRequest;
import io.slicewise.run.StorageFault;
import io.slicewise.run.SweepListener;
import io.slicewise.run.ThisProcess;
import io.slicewise.run.TrialResult;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * One process's work on a run, from reading the settings found to putting them back.
 *
 * <p>A trial that fails is journalled and left for {@code resume}; several in a row end the run,
 * since nobody gains from a night of failures. A host out of reach is waited for, and the trial it
 * broke runs again. The host is put back on every way out, faults of this program included.
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
  private final HostLock lock;
  private final SettingsGuard guard;
  private final GeneratorQueue generators;
  private final HostWatch watch;
  private final PatientRestore restore;
  private final Course course;
  private final TrialQueue queue;
  private final TrialAttempt attempts;
  private Optional<RemoteShellException> loss = Optional.empty();
  private int blocks;
  private int planned;

  /** The trial behind which the host has not rested yet. */
  private Optional<Trial> heated = Optional.empty();

  SweepRunner(
      Experiment experiment,
      RunDirectory run,
      SweepOptions options,
      SweepListener listener,
      StopRequest stop,
      LoadGenerator generator,
      Clock clock,
      HostSession session,
      HostLock lock,
      Journal journal) {
    this.experiment = experiment;
    this.run = run;
    this.listener = listener;
    this.stop = stop;
    this.clock = clock;
    this.journal = journal;
    this.session = session;
    this.lock = lock;
    RunRecord record = run.record();
    this.guard = new SettingsGuard(session.hypervisor(), journal, record, clock);
    this.course = new Course(experiment, run.results());
    this.blocks = Sweep.blocks(run, experiment);
    List<Trial> plan = Plan.of(experiment, blocks);
    this.planned = plan.size();
    List<Trial> open = plan.stream().flatMap(trial -> course.attempt(trial).stream()).toList();
    this.queue = new TrialQueue(experiment, open, failedHere(run));
    Workload workload = ExperimentWorkload.of(experiment);
    TrialRunner trials =
        new TrialRunner(
            experiment, session, guard, workload, listener, stop, options.hostLateness(), clock);
    this.generators = new GeneratorQueue(experiment, run, workload, generator);
    this.attempts =
        new TrialAttempt(run, journal, generators, trials, listener, course::add, clock);
    this.watch = new HostWatch(session.hypervisor(), options.hostPatience(), stop, clock, listener);
    this.restore = new PatientRestore(lock, guard, watch, listener);
  }

  /** Trials that this process, now or before a reboot, began and failed. */
  private static Set<Integer> failedHere(RunDirectory run) {
    Set<Integer> failed = new TreeSet<>();
    boolean here = false;
    for (JournalEvent event : run.events()) {
      if (event instanceof JournalEvent.RunStarted start) {
        here = start.process() == ThisProcess.id() && start.machine().equals(ThisProcess.machine());
      } else if (here && event instanceof JournalEvent.TrialFailed failure) {
        failed.add(failure.trial());
      }
    }
    return failed;
  }

  RunOutcome run() {
    RunState reached;
    try {
      reached = work();
    } catch (RuntimeException | Error fault) {
      restoreAfter(fault);
      throw fault;
    }
    RunState state = restore.restore() ? settle(reached) : RunState.NOT_RESTORED;
    return end(state);
  }

  /** Exit code 20 wins: a fault that leaves the host changed is told as that. */
  private void restoreAfter(Throwable fault) {
    if (restore.restore()) {
      return;
    }
    throw new SlicewiseException(
        ExitCode.HOST_NOT_RESTORED,
        sentence(RunState.NOT_RESTORED) + "; the run ended because of: " + fault,
        "",
        fault);
  }

  private RunOutcome end(RunState state) {
    String sentence = sentence(state);
    try {
      journal.appendFromReserve(new JournalEvent.RunEnded(clock.instant(), state, sentence));
    } catch (SlicewiseException unwritten) {
      listener.notice(unwritten.getMessage());
    }
    RunOutcome outcome =
        new RunOutcome(
            state,
            queue.waitingFor(),
            attempts.finished() > 0,
            restore.restored(),
            restore.gone(),
            sentence);
    listener.runEnded(outcome);
    return outcome;
  }

  private RunState work() {
    try {
      begin();
      return runTrials();
    } catch (StopRequest.StoppedNow now) {
      return RunState.INTERRUPTED;
    } catch (RemoteShellException fault) {
      if (!HostWatch.isLoss(fault)) {
        throw fault;
      }
      listener.notice(HostWatch.describe(fault));
      loss = Optional.of(fault);
      return RunState.HOST_LOST;
    } catch (SlicewiseException fault) {
      if (!StorageFault.is(fault)) {
        throw fault;
      }
      listener.notice(fault.getMessage());
      return RunState.DISK_FULL;
    } finally {
      closeGenerators();
    }
  }

  private void begin() {
    journal.append(ThisProcess.takesUpRun(clock, session.shell().address()));
    noteDesign();
    lookAround();
    listener.runStarted(
        run, planned, planned - queue.unfinished(), queue.runnable(), queue.waitingInWords());
  }

  /** What is found, and what the host is; one that is slow or away is waited for. */
  private void lookAround() {
    Optional<Environment> environment = Optional.empty();
    for (int attempt = 1; environment.isEmpty(); attempt++) {
      try {
        guard.rememberFound();
        queue.sortBy(session.hypervisor().settings());
        environment = Optional.of(HostEnvironment.read(experiment, session, clock));
      } catch (RemoteShellException fault) {
        if (!HostWatch.isLoss(fault) || attempt == LOSSES_OF_ONE_TRIAL) {
          throw fault;
        }
        listener.notice(HostWatch.describe(fault));
        if (!watch.awaitReturn()) {
          throw fault;
        }
      }
    }
    run.writeWhole(run.nextEnvironmentFile(), environment.get());
  }

  /** Once, and again where a stop was added that was not there when the run began. */
  private void noteDesign() {
    Design design = Design.of(experiment);
    if (!run.design().equals(Optional.of(design))) {
      journal.append(new JournalEvent.Designed(clock.instant(), design.facts()));
    }
  }

  private void closeGenerators() {
    try {
      generators.close();
    } catch (RuntimeException fault) {
      listener.notice("a load generator was not ended: " + fault.getMessage());
    }
  }

  private RunState runTrials() {
    RunState reached;
    do {
      reached = runQueue();
    } while (reached == RunState.DONE && addBlock());
    return reached;
  }

  /**
   * Adds a block where cells are to be known more precisely and the bounds allow it. While trials
   * wait for another scheduler, their cells cannot be judged.
   */
  private boolean addBlock() {
    if (experiment.stop().isEmpty() || !queue.waitingFor().isEmpty()) {
      return false;
    }
    Duration elapsed = Duration.between(run.began().orElseThrow(), clock.instant());
    Optional<String> reason = course.reasonToStop(experiment.stop().get(), blocks, elapsed);
    if (reason.isPresent()) {
      journal.append(new JournalEvent.Stopped(clock.instant(), blocks, reason.get()));
      listener.notice("no further block: " + reason.get());
      return false;
    }
    Precision precision = course.precision().orElseThrow();
    blocks++;
    journal.append(new JournalEvent.BlockAdded(clock.instant(), blocks, precision.words()));
    List<Trial> added =
        Plan.of(experiment, blocks).stream().filter(trial -> trial.block() == blocks).toList();
    planned += added.size();
    queue.add(added);
    listener.blockAdded(blocks, added.size(), precision);
    return true;
  }

  private RunState runQueue() {
    int failures = 0;
    Map<Trial, Integer> losses = new LinkedHashMap<>();
    while (!queue.isEmpty()) {
      coolDown();
      if (stop.wish() != StopRequest.Wish.GO_ON) {
        return RunState.INTERRUPTED;
      }
      Trial trial = queue.take();
      TrialAttempt.Outcome outcome = attempts.run(trial, queue.next());
      failures = outcome == TrialAttempt.Outcome.FAILED ? failures + 1 : 0;
      if (outcome == TrialAttempt.Outcome.FINISHED) {
        course.attempt(trial.attempt(1)).ifPresent(this::queueAgain);
        course.precision().ifPresent(listener::precision);
      }
      if (failures >= FAILURES_IN_A_ROW) {
        listener.notice(failures + " trials in a row failed; the run ends here");
        return RunState.TRIALS_FAILED;
      }
      if (outcome != TrialAttempt.Outcome.HOST_LOST) {
        heated = Optional.of(trial);
      } else if (losses.merge(trial, 1, Integer::sum) >= LOSSES_OF_ONE_TRIAL || !regained(trial)) {
        return RunState.HOST_LOST;
      }
    }
    return RunState.DONE;
  }

  private void queueAgain(Trial next) {
    queue.add(List.of(next));
    listener.queuedAgain(next, next.attempt() - 1, experiment.limits().moreAttempts());
  }

  /** Between any two trials, also where the second one's block was added behind the first. */
  private void coolDown() {
    if (heated.isPresent() && stop.wish() == StopRequest.Wish.GO_ON) {
      listener.step(heated.get(), SweepListener.Step.COOL_DOWN, experiment.coolDown());
      stop.restUntil(clock.instant().plus(experiment.coolDown()));
    }
    heated = Optional.empty();
  }

  /**
   * Waits for the host and takes it up again: its lock does not survive a reboot, and it may run
   * other domains, or another scheduler, than before.
   */
  private boolean regained(Trial broken) {
    queue.putBack(broken);
    for (int attempt = 0; attempt < LOSSES_OF_ONE_TRIAL; attempt++) {
      if (!watch.awaitReturn()) {
        return false;
      }
      try {
        lock.takeAgain();
        guard.rememberFound();
        queue.sortBy(session.hypervisor().settings());
        return true;
      } catch (RemoteShellException | HypervisorException notYet) {
        listener.notice("the host is not ready yet: " + notYet.getMessage());
      }
    }
    return false;
  }

  private RunState settle(RunState reached) {
    if (reached != RunState.DONE) {
      return reached;
    }
    if (!queue.waitingFor().isEmpty()) {
      return RunState.NEEDS_REBOOT;
    }
    if (run.results().stream().noneMatch(TrialResult::valid)) {
      return RunState.NO_VALID_DATA;
    }
    return isWhole() ? RunState.DONE : RunState.TRIALS_FAILED;
  }

  /** Whether a resumed run would find nothing to run: also of invalid trials to be tried again. */
  private boolean isWhole() {
    return Plan.of(experiment, blocks).stream()
        .noneMatch(trial -> course.attempt(trial).isPresent());
  }

  private String sentence(RunState state) {
    String left = TrialQueue.trials(queue.unfinished() - attempts.finished()) + " left";
    return switch (state) {
      case NEEDS_REBOOT ->
          String.join(", ", queue.waitingInWords())
              + ": reboot the host into it, or name a cpupool that runs it, then resume";
      case NOT_RESTORED -> state.words() + "; run 'slicewise restore " + run.root() + "'; " + left;
      case HOST_LOST ->
          loss.or(attempts::lastLoss).map(HostWatch::describe).orElse(state.words()) + " " + left;
      case INTERRUPTED, TRIALS_FAILED, DISK_FULL -> state.words() + "; " + left;
      case DONE ->
          state.words() + run.record().stopped().map(stopped -> "; " + stopped.reason()).orElse("");
      case NO_VALID_DATA, RUNNING -> state.words();
    };
  }
}
