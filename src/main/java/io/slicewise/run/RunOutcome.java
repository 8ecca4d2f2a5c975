package io.slicewise.run;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import io.slicewise.run.journal.RunState;
import java.util.Map;
import java.util.Set;

/**
 * The outcome of a process of a run.
 *
 * @param waitingFor schedulers that the remaining trials need and the host does not run
 * @param progressed whether this process finished any trial; if it did not, another reboot would
 *     not help
 * @param restored the restored and verified settings, by domain; empty if nothing had been changed
 * @param gone changed guests that no longer run, each with a sentence; nothing remains to restore
 * @param sentence the state for people, with what to do next
 */
public record RunOutcome(
    RunState state,
    Set<Scheduler> waitingFor,
    boolean progressed,
    Map<String, SchedulerParameters> restored,
    Map<String, String> gone,
    String sentence) {
  public RunOutcome {
    gone = Map.copyOf(gone);
    waitingFor = Set.copyOf(waitingFor);
    restored = Map.copyOf(restored);
  }

  /** Returns an outcome without missing guests. */
  public RunOutcome(
      RunState state,
      Set<Scheduler> waitingFor,
      boolean progressed,
      Map<String, SchedulerParameters> restored,
      String sentence) {
    this(state, waitingFor, progressed, restored, Map.of(), sentence);
  }
}
