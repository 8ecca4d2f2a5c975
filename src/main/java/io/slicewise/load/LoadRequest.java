package io.slicewise.load;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * One run of a JMeter plan.
 *
 * @param plan a {@code .jmx} file
 * @param users concurrent users, at least 1; the plan's property {@code users}
 * @param ramp over which the users start; the plan's property {@code ramp}, in seconds
 * @param longest after which the load ends by itself if nobody ended it before
 * @param properties further JMeter properties ({@code host}, {@code port}, {@code path}, …)
 * @param directory an existing directory of this run alone: properties, logs and samples go there
 */
public record LoadRequest(
    Path plan,
    int users,
    Duration ramp,
    Duration longest,
    Map<String, String> properties,
    Path directory) {
  public LoadRequest {
    properties = Map.copyOf(properties);
    if (users < 1) {
      throw new IllegalArgumentException("users must be at least 1, not " + users);
    }
  }
}
