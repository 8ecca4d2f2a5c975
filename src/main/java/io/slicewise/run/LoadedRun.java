package io.slicewise.run;

import java.util.List;
import java.util.Optional;

/**
 * What a run directory holds, verified: what is sound, and what is damaged.
 *
 * @param events of the journal that count, oldest first: no line twice, no trial twice, no trial
 *     whose record is damaged
 * @param record what they add up to
 * @param results of the trials that finished and whose records are sound, by number and attempt
 * @param recoverable trials with a sound record that the journal does not name
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
   * A trial of which only its own record is left.
   *
   * @param sum the record's checksum; empty in a run from before there were checksums
   */
  public record Recoverable(TrialResult result, Optional<String> sum) {}

  /** Whether what the journal says about the host's settings cannot be trusted. */
  public boolean settingsInDoubt() {
    return damages.stream().anyMatch(RunDamage::concernsSettings);
  }

  /** Whether trials may be missing from the results. */
  public boolean trialsInDoubt() {
    return damages.stream().anyMatch(RunDamage::concernsTrials);
  }

  /** The damages as sentences. */
  public List<String> sentences() {
    return damages.stream().map(RunDamage::sentence).toList();
  }
}
