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
 * @param ramp over which the users start; the plan's property {@code ramp}, in seconds
 * @param longest after which the load ends by itself if nobody ended it before
 * @param properties further JMeter properties ({@code host}, {@code port}, {@code path}, …)
 * @param secrets JMeter properties that stand in no file, argument list or log
 * @param directory an existing directory of this run alone: properties, logs and samples go there
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
  public LoadRequest {
    properties = Map.copyOf(properties);
    secrets = Map.copyOf(secrets);
    if (users < 1) {
      throw new IllegalArgumentException("users must be at least 1, not " + users);
    }
  }

  /** A plan with one thread group and nothing to hide. */
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
