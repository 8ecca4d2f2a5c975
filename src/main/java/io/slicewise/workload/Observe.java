package io.slicewise.workload;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Nothing is loaded: the guests' own load is watched. Fit for a production host. */
record Observe() implements Workload {
  @Override
  public String name() {
    return "observe";
  }

  @Override
  public Optional<Path> plan() {
    return Optional.empty();
  }

  @Override
  public Map<String, String> properties() {
    return Map.of();
  }

  @Override
  public void setUp() {
    // There is nothing to prepare.
  }

  @Override
  public Optional<String> complaint() {
    return Optional.empty();
  }

  @Override
  public void tearDown() {
    // There is nothing to remove.
  }
}
