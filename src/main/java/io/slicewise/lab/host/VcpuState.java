package io.slicewise.lab.host;

import io.slicewise.lab.sim.Runstate;
import io.slicewise.profile.SchedulerParameters;
import java.util.Set;

/**
 * A snapshot of a vCPU.
 *
 * @param pcpu the pCPU on which it runs or last ran
 * @param runNanos time it has run since its domain started
 * @param affinity the pCPUs it may run on
 * @param preferred its soft affinity, which is stored and listed but ignored by all schedulers here
 */
public record VcpuState(
    int id,
    Runstate runstate,
    int pcpu,
    long runNanos,
    Set<Integer> affinity,
    Set<Integer> preferred,
    SchedulerParameters parameters) {

  public VcpuState {
    affinity = Set.copyOf(affinity);
    preferred = Set.copyOf(preferred);
  }
}
