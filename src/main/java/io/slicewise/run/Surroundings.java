package io.slicewise.run;

import io.slicewise.host.HostState;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/** The host before a trial's load and after it. */
public record Surroundings(HostState before, HostState after) {
  public Surroundings {
    Objects.requireNonNull(before);
    Objects.requireNonNull(after);
  }

  /** What changed for the studied guests and their pools; none may. */
  List<String> changes(Set<String> studied) {
    return before.changes(after, studied);
  }

  /** Other guests that came or left. */
  List<String> disturbances(Set<String> studied) {
    return before.disturbances(after, studied);
  }
}
