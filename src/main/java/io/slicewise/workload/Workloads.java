package io.slicewise.workload;

import io.slicewise.target.Database;
import io.slicewise.target.WebAppSchema;
import io.slicewise.units.ExitCode;
import io.slicewise.units.Secret;
import io.slicewise.units.SlicewiseException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes workloads by name. */
public final class Workloads {
  /** The workloads that can run, by name. */
  public static final List<String> NAMES = List.of("web-app", "observe", "plan");

  /** The environment variable with the password of the property {@code database}. */
  public static final String PASSWORD_VARIABLE = "SLICEWISE_DATABASE_PASSWORD";

  private static final String DATABASE = "database";
  private static final String DATABASE_USER = "database-user";

  private Workloads() {}

  /**
   * The workload of that name.
   *
   * <p>{@code web-app} may be given the properties {@code database} (a JDBC address) and {@code
   * database-user}: then its schema is made before and dropped after every trial, and the password
   * is read from {@value #PASSWORD_VARIABLE}. Without them the application looks after its own
   * schema, and its log grows from trial to trial.
   *
   * @param plan a JMeter plan instead of the workload's own; needed for {@code plan}
   * @param target where the first request goes; becomes the JMeter properties {@code protocol},
   *     {@code host}, {@code port} and {@code path}
   * @param properties further JMeter properties
   * @throws SlicewiseException if the name is unknown, something needed is missing, or the plan's
   *     file cannot be read
   */
  public static Workload of(
      String name, Optional<Path> plan, Optional<URI> target, Map<String, String> properties) {
    return of(name, plan, target, properties, System.getenv());
  }

  static Workload of(
      String name,
      Optional<Path> plan,
      Optional<URI> target,
      Map<String, String> properties,
      Map<String, String> environment) {
    return switch (name) {
      case "observe" -> new Observe();
      case "plan" ->
          new OwnPlan(
              readable(plan.orElseThrow(() -> missing(name, "plan: the path of a .jmx file"))),
              target,
              withTarget(target, properties));
      case "web-app" -> {
        URI page = target.orElseThrow(() -> missing(name, "target: where the page is"));
        Map<String, String> forPlan = withTarget(target, properties);
        forPlan.keySet().removeAll(List.of(DATABASE, DATABASE_USER));
        yield new WebApp(
            readable(plan.orElse(shipped(name))), page, forPlan, schema(properties, environment));
      }
      default ->
          throw new SlicewiseException(
              ExitCode.USAGE,
              "workload '" + name + "' is unknown",
              "choose one of " + String.join(", ", NAMES));
    };
  }

  private static Optional<WebAppSchema> schema(
      Map<String, String> properties, Map<String, String> environment) {
    return Optional.ofNullable(properties.get(DATABASE))
        .map(
            url ->
                new WebAppSchema(
                    new Database(
                        url,
                        properties.getOrDefault(DATABASE_USER, ""),
                        Secret.of(environment.getOrDefault(PASSWORD_VARIABLE, "")))));
  }

  /** What the target says, unless a property of its own says otherwise. */
  private static Map<String, String> withTarget(
      Optional<URI> target, Map<String, String> properties) {
    Map<String, String> all = new HashMap<>();
    target.ifPresent(
        uri -> {
          int usual = "https".equals(uri.getScheme()) ? 443 : 80;
          all.put("protocol", uri.getScheme());
          all.put("host", uri.getHost());
          all.put("port", Integer.toString(uri.getPort() < 0 ? usual : uri.getPort()));
          all.put("path", uri.getRawPath().isEmpty() ? "/" : uri.getRawPath());
        });
    all.putAll(properties);
    return all;
  }

  private static Path shipped(String name) {
    return Path.of(System.getProperty("slicewise.home", "."), "jmeter-plans", name + ".jmx");
  }

  private static Path readable(Path plan) {
    if (!Files.isReadable(plan)) {
      throw new SlicewiseException(
          ExitCode.USAGE, "plan " + plan + " does not exist or cannot be read", "");
    }
    return plan;
  }

  private static SlicewiseException missing(String name, String what) {
    return new SlicewiseException(
        ExitCode.USAGE,
        "workload " + name + " needs " + what,
        "add it to the experiment's workload");
  }
}
