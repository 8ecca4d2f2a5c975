package io.slicewise.workload;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Observes the guests' own load without adding any. Suitable for a production host. */
record Observe() implements Workload {
  static final class Type implements WorkloadType {
    @Override
    public String name() {
      return "observe";
    }

    @Override
    public String summary() {
      return "Observes the guests' own load without adding any.";
    }

    @Override
    public String mainDomains() {
      return "the guests that are observed";
    }

    @Override
    public boolean loads() {
      return false;
    }

    @Override
    public Need plan() {
      return Need.NO;
    }

    @Override
    public Workload make(WorkloadRequest request) {
      return new Observe();
    }
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
    // Nothing to prepare.
  }

  @Override
  public Optional<String> complaint() {
    return Optional.empty();
  }

  @Override
  public void tearDown() {
    // Nothing to remove.
  }
}
