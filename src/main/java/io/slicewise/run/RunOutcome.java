package io.slicewise.run;

import io.slicewise.profile.Scheduler;
import io.slicewise.profile.SchedulerParameters;
import java.util.Map;
import java.util.Set;

/**
 * How a process left a run.
 *
 * @param waitingFor schedulers that trials still to be run need and the host does not run
 * @param progressed whether this process finished any trial; one that did not would not with the
 *     next reboot either
 * @param restored what was put back and read back, by domain; empty when nothing was left changed
 * @param gone changed guests that no longer run, each with a sentence; nothing is left to put back
 * @param sentence the state for people, with the way on
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

  /** An outcome of which no changed guest is gone. */
  public RunOutcome(
      RunState state,
      Set<Scheduler> waitingFor,
      boolean progressed,
      Map<String, SchedulerParameters> restored,
      String sentence) {
    this(state, waitingFor, progressed, restored, Map.of(), sentence);
  }
}
