package io.slicewise.lab.host;

import io.slicewise.profile.SchedulerParameters;
import io.slicewise.sim.Runstate;
import java.util.Set;

/**
 * A vCPU at one moment.
 *
 * @param pcpu where it runs or last ran
 * @param runNanos time it has run since its domain started
 * @param affinity the pCPUs it may run on
 */
public record VcpuState(
    int id,
    Runstate runstate,
    int pcpu,
    long runNanos,
    Set<Integer> affinity,
    SchedulerParameters parameters) {

  public VcpuState {
    affinity = Set.copyOf(affinity);
  }
}
