package io.slicewise.lab.host;

import io.slicewise.lab.sim.Runstate;
import io.slicewise.profile.SchedulerParameters;
import java.util.Set;

/**
 * A vCPU at one moment.
 *
 * @param pcpu where it runs or last ran
 * @param runNanos time it has run since its domain started
 * @param affinity the pCPUs it may run on
 * @param preferred the pCPUs it would rather run on: kept and listed, but no scheduler here heeds
 *     it
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
