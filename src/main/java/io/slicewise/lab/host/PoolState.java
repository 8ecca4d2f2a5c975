package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;
import java.util.List;

/** A snapshot of a cpupool, with its pCPUs in ascending order. */
public record PoolState(
    int id, String name, Scheduler scheduler, PoolParameters parameters, List<Integer> pcpus) {
  public PoolState {
    pcpus = List.copyOf(pcpus);
  }
}
