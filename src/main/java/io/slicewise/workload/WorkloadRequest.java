package io.slicewise.workload;

import io.slicewise.base.units.ErrorKind;
import io.slicewise.base.units.SlicewiseException;
import io.slicewise.base.yaml.Options;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an experiment says of its workload, for the type that makes it.
 *
 * @param plan a JMeter plan instead of the workload's own
 * @param target where the first request goes
 * @param properties further JMeter properties, by name
 * @param environment the variables that passwords may stand in
 */
public record WorkloadRequest(
    Optional<Path> plan,
    Optional<URI> target,
    Map<String, String> properties,
    Options options,
    Map<String, String> environment) {
  public WorkloadRequest {
    properties = Collections.unmodifiableMap(new LinkedHashMap<>(properties));
    environment = Map.copyOf(environment);
  }

  /**
   * The plan asked for, or the one that is shipped under that name.
   *
   * @throws SlicewiseException if it cannot be read
   */
  public Path planOr(String shipped) {
    return readable(plan.orElseGet(() -> shipped(shipped)));
  }

  static Path shipped(String name) {
    return Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans", name + ".jmx");
  }

  static Path readable(Path plan) {
    if (!Files.isRegularFile(plan) || !Files.isReadable(plan)) {
      throw new SlicewiseException(
          ErrorKind.INPUT,
          "plan " + plan + " does not exist or cannot be read",
          "mend the workload's 'plan'");
    }
    return plan;
  }

  /**
   * The JMeter properties {@code protocol}, {@code host}, {@code port} and {@code path} of the
   * target, unless a property of the same name says otherwise, and all other properties.
   */
  Map<String, String> propertiesWithTarget() {
    Map<String, String> all = new LinkedHashMap<>();
    target.ifPresent(uri -> all.putAll(propertiesOf(uri, "")));
    all.putAll(properties);
    return all;
  }

  /** The four properties of a URL; behind each name stands the suffix. */
  static Map<String, String> propertiesOf(URI uri, String suffix) {
    int usual = "https".equals(uri.getScheme()) ? 443 : 80;
    Map<String, String> four = new LinkedHashMap<>();
    four.put("protocol" + suffix, uri.getScheme());
    four.put("host" + suffix, uri.getHost());
    four.put("port" + suffix, Integer.toString(uri.getPort() < 0 ? usual : uri.getPort()));
    four.put("path" + suffix, uri.getRawPath().isEmpty() ? "/" : uri.getRawPath());
    return four;
  }

  /** A fault that says what the experiment's workload lacks. */
  public static SlicewiseException missing(String workload, String what) {
    return new SlicewiseException(
        ErrorKind.INPUT,
        "workload " + workload + " needs " + what,
        "add it to the experiment's workload");
  }
}
