package io.slicewise.sweep;

import io.slicewise.profile.Scheduler;
import java.util.Set;

/**
 * How a process left a run.
 *
 * @param waitingFor schedulers that trials still to be run need and the host does not run
 * @param sentence the same for people
 */
public record RunOutcome(RunState state, Set<Scheduler> waitingFor, String sentence) {
  public RunOutcome {
    waitingFor = Set.copyOf(waitingFor);
  }
}
