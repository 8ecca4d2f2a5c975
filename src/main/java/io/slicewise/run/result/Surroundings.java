package io.slicewise.run.result;

import io.slicewise.host.HostState;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The state of the host before and after a trial's load. */
public record Surroundings(HostState before, HostState after) {
  public Surroundings {
    Objects.requireNonNull(before);
    Objects.requireNonNull(after);
  }

  /** Changes of the studied guests and their pools, which invalidate the trial. */
  public List<String> changes(Set<String> studied) {
    return before.changes(after, studied);
  }

  /** Guests that are not in the cpupool in which they are to be studied. */
  public List<String> misplaced(Set<String> guests, String cpupool) {
    return after.guests().entrySet().stream()
        .filter(one -> guests.contains(one.getKey()) && !one.getValue().cpupool().equals(cpupool))
        .map(
            one ->
                "%s: in cpupool %s, and the experiment asks for %s"
                    .formatted(one.getKey(), one.getValue().cpupool(), cpupool))
        .sorted()
        .toList();
  }

  /** Other guests that started or ended. */
  public List<HostState.Disturbance> disturbances(Set<String> studied) {
    return before.disturbances(after, studied);
  }
}
