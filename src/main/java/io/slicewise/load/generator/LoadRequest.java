package io.slicewise.load.generator;

import io.slicewise.base.units.Secret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * One run of a JMeter plan.
 *
 * @param plan a {@code .jmx} file
 * @param users concurrent users, at least 1; the plan's property {@code users}
 * @param population users of all thread groups together, for which the generator is sized
 * @param ramp the period in which the users start; the plan's property {@code ramp}, in seconds
 * @param longest after which the load ends unless it was stopped before
 * @param properties further JMeter properties ({@code host}, {@code port}, {@code path}, …)
 * @param secrets JMeter properties that are written to no file, argument list or log
 * @param directory an existing directory, used only by this run, for properties, logs and samples
 */
public record LoadRequest(
    Path plan,
    int users,
    int population,
    Duration ramp,
    Duration longest,
    Map<String, String> properties,
    Map<String, Secret> secrets,
    Path directory) {
  /**
   * The property with the arrivals per second in each thread group of an open load; with it the
   * users start a pass through the plan at an arrival, not when their last one has ended.
   */
  public static final String RATE = "slicewise.rate";

  /** The property with the seed of the arrivals. */
  public static final String SEED = "slicewise.seed";

  public LoadRequest {
    properties = Map.copyOf(properties);
    secrets = Map.copyOf(secrets);
    if (users < 1) {
      throw new IllegalArgumentException("users must be at least 1, not " + users);
    }
  }

  /** Returns a request for a plan with one thread group and no secrets. */
  public LoadRequest(
      Path plan,
      int users,
      Duration ramp,
      Duration longest,
      Map<String, String> properties,
      Path directory) {
    this(plan, users, users, ramp, longest, properties, Map.of(), directory);
  }
}
