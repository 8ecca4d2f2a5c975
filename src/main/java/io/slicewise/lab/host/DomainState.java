package io.slicewise.lab.host;

import io.slicewise.lab.sim.Runstate;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;
import java.util.Set;

/**
 * A snapshot of a domain.
 *
 * @param memoryKib memory in KiB
 * @param crashed whether it has crashed and can only be destroyed
 * @param paused whether all of its vCPUs are paused
 */
public record DomainState(
    int id,
    String name,
    String uuid,
    int pool,
    long memoryKib,
    boolean crashed,
    boolean paused,
    List<VcpuState> vcpus) {
  public DomainState {
    vcpus = List.copyOf(vcpus);
  }

  /** Returns the CPU time of all vCPUs since the domain started. */
  public long runNanos() {
    return vcpus.stream().mapToLong(VcpuState::runNanos).sum();
  }

  /** Returns the number of vCPUs that it uses. */
  public int online() {
    return (int) vcpus.stream().filter(VcpuState::online).count();
  }

  /** Returns the parameters of the first vCPU. Per-domain schedulers give every vCPU the same. */
  public SchedulerParameters parameters() {
    return vcpus.get(0).parameters();
  }

  public boolean running() {
    return !crashed && !paused && vcpus.stream().anyMatch(v -> v.runstate() == Runstate.RUNNING);
  }

  public boolean blocked() {
    return !crashed
        && !paused
        && vcpus.stream().filter(VcpuState::online).allMatch(v -> v.runstate() == Runstate.BLOCKED);
  }

  /**
   * A snapshot of a vCPU.
   *
   * @param pcpu the pCPU on which it runs or last ran
   * @param runNanos time it has run since its domain started
   * @param affinity the pCPUs it may run on
   * @param preferred its soft affinity, which is stored and listed but ignored by all schedulers
   *     here
   * @param online whether its domain uses it
   */
  public record VcpuState(
      int id,
      Runstate runstate,
      int pcpu,
      long runNanos,
      Set<Integer> affinity,
      Set<Integer> preferred,
      SchedulerParameters parameters,
      boolean online) {

    public VcpuState {
      affinity = Set.copyOf(affinity);
      preferred = Set.copyOf(preferred);
    }
  }
}
