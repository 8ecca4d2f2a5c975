package io.slicewise.lab.host;

import io.slicewise.profile.Scheduler;
import java.util.List;

/** A snapshot of a cpupool, with its pCPUs in ascending order. */
public record PoolState(
    int id, String name, Scheduler scheduler, PoolParameters parameters, List<Integer> pcpus) {
  public PoolState {
    pcpus = List.copyOf(pcpus);
  }

  /**
   * The parameters of a cpupool's scheduler. Parameters that a scheduler lacks are ignored.
   *
   * @param tsliceMillis credit's time slice, 1..1000 ms, default 30
   * @param ratelimitMicros least time a vCPU keeps its pCPU, 0 (off) or 100..500000 µs, default
   *     1000
   * @param migrationDelayMicros time for which credit considers a cache warm, 0..100000 µs, default
   *     0
   */
  public record PoolParameters(int tsliceMillis, int ratelimitMicros, int migrationDelayMicros) {
    public static final PoolParameters DEFAULTS = new PoolParameters(30, 1000, 0);
  }
}
