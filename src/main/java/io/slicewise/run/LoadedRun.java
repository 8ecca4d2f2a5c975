package io.slicewise.run;

import io.slicewise.experiment.Experiment;
import io.slicewise.experiment.file.ExperimentFiles;
import io.slicewise.run.journal.JournalEvent;
import io.slicewise.run.journal.RunDamage;
import io.slicewise.run.result.TrialResult;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The verified contents of a run directory, read once: what is valid, and what is damaged. A
 * command loads a run at its start and passes this value on. The experiment and the environments
 * are read when they are first asked for, because a run without them can still be restored.
 */
public final class LoadedRun {
  private final RunDirectory directory;
  private final List<JournalEvent> events;
  private final RunRecord record;
  private final List<TrialResult> results;
  private final List<Recoverable> recoverable;
  private final List<RunDamage> damages;
  private Experiment experiment;
  private Origin origin;
  private List<Environment> environments;

  LoadedRun(
      RunDirectory directory,
      List<JournalEvent> events,
      List<TrialResult> results,
      List<Recoverable> recoverable,
      List<RunDamage> damages) {
    this.directory = directory;
    this.events = List.copyOf(events);
    this.record = RunRecord.of(events);
    this.results = List.copyOf(results);
    this.recoverable = List.copyOf(recoverable);
    this.damages = List.copyOf(damages);
  }

  /**
   * A trial of which only its record is left.
   *
   * @param sum the record's checksum
   */
  public record Recoverable(TrialResult result, String sum) {}

  public RunDirectory directory() {
    return directory;
  }

  public Path root() {
    return directory.root();
  }

  public String name() {
    return directory.name();
  }

  /**
   * Returns the events of the journal that count, oldest first, without repeated lines and trials,
   * and without trials whose record is damaged.
   */
  public List<JournalEvent> events() {
    return events;
  }

  /** Returns the state that results from the events. */
  public RunRecord record() {
    return record;
  }

  /**
   * Returns the results of the finished trials with valid records, by number and attempt. A trial
   * that a rule excluded and that ran again has several; at most one of them is valid.
   */
  public List<TrialResult> results() {
    return results;
  }

  /** Returns the trials with a valid record that are not in the journal. */
  public List<Recoverable> recoverable() {
    return recoverable;
  }

  public List<RunDamage> damages() {
    return damages;
  }

  /** Returns the experiment with every profile that a trial of this run was planned for. */
  public Experiment experiment() {
    if (experiment == null) {
      experiment = record.extended(ExperimentFiles.read(directory.experimentFile()));
    }
    return experiment;
  }

  /** Returns the origin of this run's numbers. */
  public Origin origin() {
    if (origin == null) {
      origin = directory.origin();
    }
    return origin;
  }

  /**
   * Returns the environments of all processes of this run, first one first; empty if none worked on
   * a host.
   */
  public List<Environment> environments() {
    if (environments == null) {
      environments = directory.environments();
    }
    return environments;
  }

  /** Returns the environment at the start of the run; empty if it never reached a host. */
  public Optional<Environment> environment() {
    return environments().stream().findFirst();
  }

  /** Returns the run's host, measured or simulated; empty before its description was written. */
  public Optional<HostIdentity> describedHost() {
    return new RunEnvironments(directory.root()).described().map(Environment::identity);
  }

  /** Returns the start of the run; empty if it never started. */
  public Optional<Instant> began() {
    return JournalEvent.of(events, JournalEvent.RunStarted.class).map(JournalEvent::at).findFirst();
  }

  /** Whether the journal's information on the host's settings is unreliable. */
  public boolean settingsInDoubt() {
    return damages.stream().anyMatch(RunDamage::concernsSettings);
  }

  /** Whether trials may be missing from the results. */
  public boolean trialsInDoubt() {
    return damages.stream().anyMatch(RunDamage::concernsTrials);
  }

  /**
   * Returns the command that repairs the damages or, after a repair, settles the host's settings.
   */
  public String remedy() {
    boolean repaired =
        damages.stream().allMatch(damage -> damage.kind() == RunDamage.Kind.SETTINGS_IN_DOUBT);
    return "slicewise %s %s"
        .formatted(repaired ? "restore --trust-damaged" : "check --repair", directory.root());
  }

  /** The damages as sentences. */
  public List<String> sentences() {
    return damages.stream().map(RunDamage::sentence).toList();
  }
}
