package io.slicewise.sweep;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.FileFault;
import io.slicewise.base.units.Plural;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Trial;
import io.slicewise.host.Domain;
import io.slicewise.host.HypervisorException;
import io.slicewise.host.monitor.machine.Fingerprint;
import io.slicewise.host.monitor.machine.GuestDisks;
import io.slicewise.profile.ParametersText;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.Design;
import io.slicewise.run.Environment;
import io.slicewise.run.Origin;
import io.slicewise.run.RunOutcome;
import io.slicewise.run.StopRequest;
import io.slicewise.run.SweepListener;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.PlannedTrial;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.run.result.TrialResult;
import io.slicewise.ssh.Command;
import io.slicewise.ssh.CommandResult;
import io.slicewise.ssh.RemoteShell;
import io.slicewise.ssh.RemoteShellException;
import io.slicewise.sweep.guard.DeadMan;
import io.slicewise.sweep.guard.HostLock;
import io.slicewise.sweep.guard.SettingsGuard;
import io.slicewise.sweep.source.TrialSource;
import io.slicewise.sweep.window.ExperimentWorkload;
import io.slicewise.sweep.window.HostSession;
import io.slicewise.sweep.window.Sitting;
import io.slicewise.sweep.window.TrialRunner;
import io.slicewise.workload.Workload;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * The work of one process on a run, from reading the original settings to restoring them.
 *
 * <p>A trial that fails is journalled and left for {@code resume}; several in a row end the run. An
 * unreachable host is awaited, and the interrupted trial runs again. The host is restored in every
 * case, including internal errors.
 */
final class SweepRunner {
  private static final int FAILURES_IN_A_ROW = 5;
  private static final int LOSSES_OF_ONE_TRIAL = 3;

  private final Sitting sitting;
  private final Journal journal;
  private final QuietMachine quiet;
  private final HostSession session;
  private final HostLock lock;
  private final DeadMan deadMan;
  private final SettingsGuard guard;
  private final GeneratorQueue generators;
  private final HostWatch watch;
  private final PatientRestore restore;
  private final OpenTrials openTrials;
  private final TrialAttempt attempts;
  private final SessionRunner sessions;
  private Optional<RemoteShellException> loss = Optional.empty();

  /** The trial after which the host has not yet cooled down. */
  private Optional<Trial> heated = Optional.empty();

  SweepRunner(
      Sitting sitting,
      TrialSource source,
      HostSession session,
      HostLock lock,
      DeadMan deadMan,
      Journal journal,
      QuietMachine quiet) {
    this.sitting = sitting;
    this.quiet = quiet;
    this.journal = journal;
    this.session = session;
    this.lock = lock;
    this.deadMan = deadMan;
    this.guard =
        new SettingsGuard(
            session.hypervisor(),
            journal,
            sitting.run().record(),
            sitting.clock(),
            Optional.of(deadMan));
    guard.takePlaces(sitting.run().events());
    this.openTrials = new OpenTrials(sitting, source, session.hypervisor(), journal, guard::learn);
    Workload workload = ExperimentWorkload.of(sitting.experiment());
    TrialRunner trials = new TrialRunner(sitting, session, guard, workload);
    this.generators = new GeneratorQueue(sitting, workload);
    this.attempts = new TrialAttempt(sitting, journal, generators, trials, openTrials::finished);
    this.sessions =
        new SessionRunner(sitting, session, guard, openTrials, generators, workload, quiet);
    this.watch = new HostWatch(session.hypervisor(), sitting);
    this.restore = new PatientRestore(lock, guard, watch, sitting.listener());
  }

  /**
   * Undoes what an earlier process of this run left changed, so that profiles are judged on the
   * host as it was found. Returns whether there was anything.
   */
  boolean undoEarlier() {
    if (!guard.leftChanged()) {
      return false;
    }
    try {
      guard.takeOverSwitches(sitting.experiment());
    } catch (RuntimeException | Error fault) {
      restoreAfter(fault);
      throw fault;
    }
    if (!restoreAndStandDown()) {
      throw new SlicewiseException(
          ErrorKind.NOT_RESTORED,
          "what an earlier process of this run left changed is not restored",
          "slicewise restore " + sitting.run().root());
    }
    if (!restore.restored().isEmpty()) {
      sitting.notice(
          "undone what an earlier process of this run left changed: "
              + String.join(", ", new TreeSet<>(restore.restored().keySet())));
    }
    return true;
  }

  RunOutcome run() {
    RunState reached;
    try {
      reached = work();
    } catch (RuntimeException | Error fault) {
      if (journal.place().isInPlace()) {
        restoreAfter(fault);
        throw fault;
      }
      reached = RunState.DIRECTORY_GONE;
    }
    RunState state = restoreAndStandDown() ? settle(reached) : RunState.NOT_RESTORED;
    return end(state);
  }

  /** Restores the host; only then its dead man's switch is no longer needed. */
  private boolean restoreAndStandDown() {
    boolean restored = restore.restore();
    if (!restored) {
      lock.keep();
    }
    if (restored) {
      try {
        guard.endSwitches();
      } catch (RuntimeException unended) {
        sitting.notice(
            "a dead man's switch may still be on the host and end by itself: "
                + FileFault.reason(unended));
      }
    } else if (deadMan.waits()) {
      sitting.notice("the dead man's switch stays on the host and restores it when its time is up");
    }
    return restored;
  }

  /** Restores the host after a failure; exit code 20 takes precedence if it remains changed. */
  private void restoreAfter(Throwable fault) {
    if (restoreAndStandDown()) {
      return;
    }
    throw new SlicewiseException(
        ErrorKind.NOT_RESTORED,
        sentence(RunState.NOT_RESTORED) + "; the run ended because of: " + FileFault.reason(fault),
        "",
        fault);
  }

  private RunOutcome end(RunState state) {
    String sentence = sentence(state);
    try {
      journal.appendFromReserve(new JournalEvent.RunEnded(sitting.now(), state, sentence));
    } catch (SlicewiseException unwritten) {
      sitting.notice(unwritten.getMessage());
    }
    if (!journal.place().isInPlace()) {
      throw gone(state);
    }
    RunOutcome outcome =
        new RunOutcome(
            state,
            openTrials.queue().waiting().keySet(),
            openTrials.finished() > 0,
            restore.restored(),
            restore.gone(),
            sentence);
    sitting.listener().runEnded(outcome);
    return outcome;
  }

  /** Returns what happened to the run directory and to the host; nothing else can be reported. */
  private SlicewiseException gone(RunState state) {
    boolean restored = state != RunState.NOT_RESTORED;
    Map<String, SchedulerParameters> settings = restored ? restore.restored() : guard.notRestored();
    String values =
        settings.entrySet().stream()
            .map(entry -> entry.getKey() + " " + ParametersText.of(entry.getValue()))
            .sorted()
            .collect(Collectors.joining(", "));
    String host =
        !restored
            ? "the host is NOT restored; found were " + values
            : values.isEmpty()
                ? "nothing of this run is left on the host"
                : "the host is restored and verified: " + values;
    String command = restored ? "slicewise resume " : "slicewise restore ";
    return new SlicewiseException(
        restored ? ErrorKind.DIRECTORY_GONE : ErrorKind.NOT_RESTORED,
        journal.place().gone() + "; " + host,
        journal
            .place()
            .directoryNow()
            .map(now -> command + now)
            .orElse(
                restored
                    ? "run the experiment again"
                    : "set these values by hand, then run the experiment again with --take-lock"));
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
      sitting.notice(HostWatch.describe(fault));
      loss = Optional.of(fault);
      return RunState.HOST_LOST;
    } catch (SlicewiseException fault) {
      RunState state =
          switch (fault.errorKind()) {
            case STORAGE ->
                journal.place().isInPlace() ? RunState.DISK_FULL : RunState.DIRECTORY_GONE;
            case DIRECTORY_GONE -> RunState.DIRECTORY_GONE;
            case CHANGED_BY_OTHERS -> RunState.CHANGED_BY_OTHERS;
            default -> throw fault;
          };
      if (state != RunState.DIRECTORY_GONE) {
        sitting.notice(fault.getMessage());
      }
      return state;
    } finally {
      closeGenerators();
    }
  }

  private void begin() {
    journal.append(ThisProcess.takesUpRun(sitting.clock(), session.shell().address()));
    noteDesign();
    sitting.run().setUnfinishedAside();
    lookAround();
    openTrials.begin();
  }

  /** Reads the settings and description of the host; waits for a slow or unreachable one. */
  private void lookAround() {
    Optional<Environment> environment = Optional.empty();
    for (int attempt = 1; environment.isEmpty(); attempt++) {
      try {
        guard.rememberFound();
        guard.takeOverSwitches(sitting.experiment());
        openTrials.readHost();
        environment =
            Optional.of(HostEnvironment.read(sitting.experiment(), session, sitting.clock()));
      } catch (RemoteShellException fault) {
        if (!HostWatch.isLoss(fault) || attempt == LOSSES_OF_ONE_TRIAL) {
          throw fault;
        }
        sitting.notice(HostWatch.describe(fault));
        if (!watch.awaitReturn()) {
          throw fault;
        }
      }
    }
    Origin origin = environment.get().origin();
    if (origin.kind() == Origin.Kind.LAB && sitting.experiment().lab().isEmpty()) {
      sitting.notice("this is not a real host: the run is " + origin.sentence());
    }
    sitting.run().writeWhole(sitting.run().nextEnvironmentFile(), environment.get());
  }

  /** Journals the design once, and again if a stop was added after the run began. */
  private void noteDesign() {
    Design design = Design.of(sitting.experiment());
    if (!sitting.run().design().equals(Optional.of(design))) {
      journal.append(new JournalEvent.Designed(sitting.now(), design.facts()));
    }
  }

  private void closeGenerators() {
    try {
      generators.close();
    } catch (RuntimeException fault) {
      sitting.notice("a load generator was not ended: " + FileFault.reason(fault));
    }
  }

  private RunState runTrials() {
    int failures = 0;
    Optional<String> lostBefore = Optional.empty();
    Map<Object, Integer> losses = new LinkedHashMap<>();
    for (Optional<PlannedTrial> next = openTrials.next();
        next.isPresent();
        next = openTrials.next()) {
      PlannedTrial trial = next.get();
      coolDown();
      quiet.awaitNext();
      if (!sitting.goesOn()) {
        return RunState.INTERRUPTED;
      }
      int finishedBefore = openTrials.finished();
      TrialAttempt.Outcome outcome = run(trial);
      if (outcome == TrialAttempt.Outcome.REFUSED) {
        openTrials.refused(trial);
        continue;
      }
      failures = outcome == TrialAttempt.Outcome.FAILED ? failures + 1 : 0;
      if (outcome == TrialAttempt.Outcome.HOST_LOST) {
        if (openTrials.finished() > finishedBefore) {
          losses.clear();
        }
        if (losses.merge(work(trial), 1, Integer::sum) >= LOSSES_OF_ONE_TRIAL || !regained()) {
          return RunState.HOST_LOST;
        }
        continue;
      }
      heated = Optional.of(trial.trial());
      if (failures > 0) {
        openTrials.failed(trial.trial().session().isPresent() ? sessions.current() : trial);
      }
      if (failures >= FAILURES_IN_A_ROW) {
        sitting.notice(failures + " trials in a row failed; the run ends here");
        return RunState.TRIALS_FAILED;
      }
      Optional<String> lost = attempts.lostGenerator();
      if (lost.isPresent() && lost.equals(lostBefore)) {
        sitting.notice(
            "generator %s was lost twice in a row; the run ends here. Repair it, or remove it from"
                    .formatted(lost.get())
                + " 'generators' in the run's experiment.yaml, then resume");
        return RunState.TRIALS_FAILED;
      }
      lostBefore = lost;
    }
    return RunState.DONE;
  }

  private TrialAttempt.Outcome run(PlannedTrial trial) {
    return trial.trial().session().isPresent()
        ? attempts.run(sessions, trial)
        : attempts.run(trial, openTrials.following(trial));
  }

  /** What a lost host interrupted: the trial or, for a session, its load. */
  private static Object work(PlannedTrial trial) {
    return trial.trial().session().isPresent() ? trial.trial().load() : trial.trial();
  }

  /** Cools down between any two trials, even if the second one's block was added later. */
  private void coolDown() {
    if (heated.isPresent() && sitting.goesOn()) {
      sitting
          .listener()
          .step(heated.get(), SweepListener.Step.COOL_DOWN, sitting.experiment().coolDown());
      sitting.stop().restUntil(sitting.now().plus(sitting.experiment().coolDown()));
    }
    heated = Optional.empty();
  }

  /**
   * Waits for the host and reconnects: its lock does not survive a reboot, and it may have other
   * domains or another scheduler.
   */
  private boolean regained() {
    for (int attempt = 0; attempt < LOSSES_OF_ONE_TRIAL; attempt++) {
      if (!watch.awaitReturn()) {
        return false;
      }
      try {
        lock.takeAgain();
        guard.rememberFound();
        openTrials.readHost();
        return true;
      } catch (RemoteShellException | HypervisorException notYet) {
        sitting.notice("the host is not ready yet: " + notYet.getMessage());
      }
    }
    return false;
  }

  private RunState settle(RunState reached) {
    if (reached != RunState.DONE) {
      return reached;
    }
    if (!journal.place().isInPlace()) {
      return RunState.DIRECTORY_GONE;
    }
    if (!openTrials.queue().waiting().isEmpty()) {
      return RunState.NEEDS_REBOOT;
    }
    if (sitting.run().results().stream().noneMatch(TrialResult::valid)) {
      return RunState.NO_VALID_DATA;
    }
    return openTrials.isComplete() ? RunState.DONE : RunState.TRIALS_FAILED;
  }

  private String sentence(RunState state) {
    String left = Plural.of(openTrials.left(), "trial") + " left";
    return switch (state) {
      case NEEDS_REBOOT ->
          String.join(", ", openTrials.queue().waitingPhrases())
              + ": reboot the host into it, or specify a cpupool that runs it, then resume";
      case NOT_RESTORED ->
          state.text() + "; run 'slicewise restore " + sitting.run().root() + "'; " + left;
      case HOST_LOST ->
          loss.or(attempts::lastLoss).map(HostWatch::describe).orElse(state.text()) + " " + left;
      case INTERRUPTED, TRIALS_FAILED, DISK_FULL, DIRECTORY_GONE, CHANGED_BY_OTHERS ->
          state.text() + "; " + left;
      case DONE ->
          state.text()
              + sitting.run().record().stopped().map(stopped -> "; " + stopped.reason()).orElse("");
      case NO_VALID_DATA, RUNNING -> state.text();
    };
  }

  /** The vendor of the host; empty if the machine has no DMI table, or hides it. */
  static String vendor(RemoteShell shell) {
    CommandResult dmi = shell.run(Command.reading("cat", "/sys/class/dmi/id/sys_vendor"));
    return dmi.exitStatus() == 0 ? dmi.standardOutput() : "";
  }

  /** Reads the environment of a run from its host. */
  private static final class HostEnvironment {
    private HostEnvironment() {}

    static Environment read(Experiment experiment, HostSession session, Clock clock) {
      Instant asked = clock.instant();
      CommandResult date = session.shell().run(Command.reading("date", "+%s.%N"));
      double doubt = Duration.between(asked, clock.instant()).toNanos() / 2e6;
      return new Environment(
          asked,
          Origin.of(experiment, vendor(session.shell())),
          session.shell().address(),
          session.host(),
          session.hypervisor().domains(),
          settings(session),
          new Environment.Monitoring(session.monitor().name(), offset(date, asked, doubt), doubt),
          Environment.thisMachine(),
          fingerprint(experiment, session));
    }

    /**
     * The facts of the host and of what the workload loads; a run does not fail for want of them.
     */
    private static Map<String, String> fingerprint(Experiment experiment, HostSession session) {
      Map<String, String> facts = new LinkedHashMap<>(Fingerprint.of(session.shell()));
      if (session.hypervisor().kind().controlDomain().isPresent()) {
        GuestDisks guests =
            GuestDisks.of(
                session.shell(),
                experiment.host().orElseThrow().sudo(),
                Domain.names(session.hypervisor().domains()));
        guests.types().forEach((guest, type) -> facts.put("type of " + guest, type));
        guests.disks().forEach(disk -> facts.put("way of " + disk.name(), disk.way()));
      }
      try {
        facts.putAll(ExperimentWorkload.of(experiment).facts());
      } catch (SlicewiseException unreadable) {
        // Its setting up says why.
        return facts;
      }
      return facts;
    }

    private static Map<String, SchedulerParameters> settings(HostSession session) {
      Map<String, SchedulerParameters> settings = new LinkedHashMap<>();
      session
          .hypervisor()
          .settings()
          .forEach(setting -> settings.put(setting.target().name(), setting.parameters()));
      return settings;
    }

    private static double offset(CommandResult date, Instant asked, double doubt) {
      try {
        double theirs = Double.parseDouble(date.standardOutput().strip()) * 1e3;
        return theirs - (asked.toEpochMilli() + doubt);
      } catch (NumberFormatException e) {
        return Double.NaN;
      }
    }
  }
}
