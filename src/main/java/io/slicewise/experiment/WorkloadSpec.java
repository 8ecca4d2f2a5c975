package io.slicewise.experiment;

import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The workload part of an experiment file.
 *
 * @param name {@code web-app}, {@code observe}, … or {@code plan} for a plan of one's own
 * @param plan the JMeter plan, when it is not the workload's own
 * @param target where the first request goes; its host, port and path become JMeter properties
 * @param properties further JMeter properties, by name
 */
public record WorkloadSpec(
    String name, Optional<Path> plan, Optional<URI> target, Map<String, String> properties) {
  public WorkloadSpec {
    properties = Map.copyOf(properties);
  }

  /** The workload that only watches the guests' own load. */
  public static final String OBSERVE = "observe";

  /** The workload that is a JMeter plan of the experiment's own. */
  public static final String OWN_PLAN = "plan";

  /** Whether anything is loaded. */
  public boolean loads() {
    return !name.equals(OBSERVE);
  }
}
