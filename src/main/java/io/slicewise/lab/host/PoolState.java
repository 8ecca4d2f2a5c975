package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;
import java.util.List;

/** A cpupool at one moment; pCPUs in rising order. */
public record PoolState(
    int id, String name, Scheduler scheduler, PoolParameters parameters, List<Integer> pcpus) {
  public PoolState {
    pcpus = List.copyOf(pcpus);
  }
}
