package io.slicewise.run;

import io.slicewise.base.units.Plural;
import io.slicewise.base.units.Window;
import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.Plan;
import io.slicewise.experiment.Trial;
import io.slicewise.host.monitor.HypervisorShares;
import io.slicewise.host.monitor.MonitorResult;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.journal.Journal;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunState;
import io.slicewise.run.journal.ThisProcess;
import io.slicewise.run.result.TrialHost;
import io.slicewise.run.result.TrialLoad;
import io.slicewise.run.result.TrialResult;
import io.slicewise.run.result.TrialTimes;
import java.nio.file.Path;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A run whose trials were computed or measured elsewhere. It has the same directory, journal and
 * rules as a measured run, so all commands can read it. Thread-safe.
 */
public final class ComputedRun implements AutoCloseable {
  private final Experiment experiment;
  private final RunDirectory directory;
  private final Environment environment;
  private final Clock clock;
  private final RunLock lock;
  private final Journal journal;
  private int finished;
  private boolean anyValid;

  private ComputedRun(
      Experiment experiment, RunDirectory directory, Environment environment, Clock clock) {
    this.experiment = experiment;
    this.directory = directory;
    this.environment = environment;
    this.clock = clock;
    this.lock = RunLock.take(directory.root());
    this.journal = Journal.open(directory.journalFile());
  }

  /**
   * The result of a trial before it is judged.
   *
   * @param applied parameters read back, by domain name
   */
  public record Computed(
      Trial trial,
      Window warmUp,
      Window window,
      Map<String, SchedulerParameters> applied,
      TrialLoad load,
      MonitorResult monitor) {}

  /** Creates a run directory below {@code results}. */
  public static ComputedRun begin(
      Experiment experiment, Path results, Environment environment, Clock clock) {
    experiment.workload().refuseWrittenSecrets();
    RunDirectory directory =
        RunDirectory.begin(results, experiment.name(), experiment, clock.instant());
    ComputedRun run = new ComputedRun(experiment, directory, environment, clock);
    directory.writeWhole(directory.environmentFile(), environment);
    run.journal.append(ThisProcess.takesUpRun(clock, environment.address()));
    return run;
  }

  public RunDirectory directory() {
    return directory;
  }

  /** Judges a trial by the rules and stores it. */
  public TrialResult keep(Computed computed) {
    TrialResult result = unjudged(computed);
    TrialResult judged = result.judged(TrialRules.judge(experiment, result));
    keep(judged);
    return judged;
  }

  private TrialResult unjudged(Computed computed) {
    Map<String, Double> steps = new LinkedHashMap<>();
    steps.put(SweepListener.Step.WARM_UP.text(), computed.warmUp().seconds());
    steps.put(SweepListener.Step.MEASURE.text(), computed.window().seconds());
    return new TrialResult(
        computed.trial(),
        new TrialTimes(computed.warmUp(), computed.window(), steps),
        TrialHost.of(environment.host().pcpus(), computed.applied()),
        computed.load(),
        List.of(HypervisorShares.observation(computed.monitor())));
  }

  private synchronized void keep(TrialResult result) {
    Trial trial = result.trial();
    directory.freshTrialDirectory(trial);
    String sum = directory.writeResult(result);
    journal.append(JournalEvent.TrialFinished.of(clock.instant(), result, sum));
    finished++;
    anyValid |= result.valid();
  }

  /** Writes the outcome of the run to the journal. */
  public RunOutcome end() {
    return end(state());
  }

  /** Does the same for a run whose results decided that it has all its trials. */
  public synchronized RunOutcome endWhole() {
    return end(anyValid ? RunState.DONE : RunState.NO_VALID_DATA);
  }

  private synchronized RunOutcome end(RunState state) {
    String sentence =
        state == RunState.INTERRUPTED
            ? "%s after %s".formatted(state.text(), Plural.of(finished, "trial"))
            : state.text();
    journal.append(new JournalEvent.RunEnded(clock.instant(), state, sentence));
    return new RunOutcome(state, Set.of(), finished > 0, Map.of(), sentence);
  }

  /** The state of the run. An imported study is complete: resuming cannot add missing trials. */
  private synchronized RunState state() {
    boolean complete = environment.origin().kind() == Origin.Kind.IMPORTED;
    if (!complete && finished < Plan.of(experiment).size()) {
      return RunState.INTERRUPTED;
    }
    return anyValid ? RunState.DONE : RunState.NO_VALID_DATA;
  }

  @Override
  public synchronized void close() {
    try (lock) {
      journal.close();
    }
  }
}
