package io.slicewise.lab.sim;

import io.slicewise.profile.Scheduler;
import java.util.List;
import java.util.SortedSet;

/**
 * A snapshot of a cpupool.
 *
 * @param id 0 for Pool-0; numbers are given in order and the lowest free one is reused
 */
public record PoolView(
    int id, String name, SchedulerOptions options, SortedSet<Integer> pcpus, List<Integer> domids) {
  public Scheduler scheduler() {
    return options.scheduler();
  }
}
