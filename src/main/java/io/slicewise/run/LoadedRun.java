package io.slicewise.run;

import java.util.List;
import java.util.Optional;

/**
 * The verified contents of a run directory: what is valid, and what is damaged.
 *
 * @param events of the journal that count, oldest first, without repeated lines and trials, and
 *     without trials whose record is damaged
 * @param record the resulting state
 * @param results of the finished trials with valid records, by number and attempt
 * @param recoverable trials with a valid record that are not in the journal
 */
public record LoadedRun(
    RunDirectory directory,
    List<JournalEvent> events,
    RunRecord record,
    List<TrialResult> results,
    List<Recoverable> recoverable,
    List<RunDamage> damages) {
  public LoadedRun {
    events = List.copyOf(events);
    results = List.copyOf(results);
    recoverable = List.copyOf(recoverable);
    damages = List.copyOf(damages);
  }

  /**
   * A trial of which only its record is left.
   *
   * @param sum the record's checksum; empty in a run without checksums
   */
  public record Recoverable(TrialResult result, Optional<String> sum) {}

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
