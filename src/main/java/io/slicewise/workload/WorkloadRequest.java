package io.slicewise.workload;

import io.slicewise.base.units.Secret;
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
 * The workload section of an experiment, for the type that creates the workload.
 *
 * @param plan a JMeter plan instead of the workload's own
 * @param target the URL of the first request
 * @param properties further JMeter properties, by name
 * @param environment the environment variables, which may contain passwords
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
   * The requested plan, or the included one named {@code shipped}.
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
      throw SlicewiseException.input(
          "plan " + plan + " does not exist or cannot be read", "fix the workload's 'plan'");
    }
    return plan;
  }

  /**
   * The JMeter properties {@code protocol}, {@code host}, {@code port} and {@code path} (with the
   * query) of the target, unless properties of the same name replace them, and all other
   * properties.
   */
  Map<String, String> propertiesWithTarget() {
    Map<String, String> all = new LinkedHashMap<>();
    target.ifPresent(uri -> all.putAll(propertiesOf(uri, "")));
    all.putAll(properties);
    return all;
  }

  /** The four properties of a URL, each name followed by the suffix. */
  static Map<String, String> propertiesOf(URI uri, String suffix) {
    int usual = "https".equals(uri.getScheme()) ? 443 : 80;
    Map<String, String> four = new LinkedHashMap<>();
    four.put("protocol" + suffix, uri.getScheme());
    four.put("host" + suffix, uri.getHost());
    four.put("port" + suffix, Integer.toString(uri.getPort() < 0 ? usual : uri.getPort()));
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    four.put("path" + suffix, uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery());
    return four;
  }

  /**
   * Returns the secret of options: the first line of a file, or an environment variable; empty if
   * they name neither.
   *
   * @param file the option that names the file
   * @param variable the option that names the variable
   * @throws SlicewiseException if the file cannot be read, or the variable is not set
   */
  public static Optional<Secret> secret(
      Options options, Map<String, String> environment, String file, String variable) {
    return options
        .file(file)
        .map(Secret::inFile)
        .or(() -> options.text(variable).map(name -> variable(name, environment)));
  }

  private static Secret variable(String name, Map<String, String> environment) {
    return Optional.ofNullable(environment.get(name))
        .map(Secret::of)
        .orElseThrow(
            () ->
                SlicewiseException.input(
                    "environment variable " + name + ", named by the workload, is not set",
                    "set it where you start Slicewise, or specify a file"));
  }

  /** An error about something missing in the experiment's workload. */
  public static SlicewiseException missing(String workload, String what) {
    return SlicewiseException.input(
        "workload " + workload + " needs " + what, "add it to the experiment's workload");
  }
}
