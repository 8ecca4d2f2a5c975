package io.slicewise.lab.host;

import io.slicewise.lab.sim.Runstate;
import io.slicewise.profile.SchedulerParameters;
import java.util.List;

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

  /** Returns the parameters of the first vCPU. Per-domain schedulers give every vCPU the same. */
  public SchedulerParameters parameters() {
    return vcpus.get(0).parameters();
  }

  public boolean running() {
    return !crashed && !paused && vcpus.stream().anyMatch(v -> v.runstate() == Runstate.RUNNING);
  }

  public boolean blocked() {
    return !crashed && !paused && vcpus.stream().allMatch(v -> v.runstate() == Runstate.BLOCKED);
  }
}
