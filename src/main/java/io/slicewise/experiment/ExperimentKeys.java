package io.slicewise.experiment;

import io.slicewise.experiment.Experiment.Order;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys and words of an experiment file; the published schema is held against them. */
final class ExperimentKeys {
  static final List<String> TOP =
      List.of(
          "name",
          "host",
          "lab",
          "domains",
          "profiles",
          "baseline",
          "workload",
          "users",
          "repetitions",
          "ramp",
          "warm-up",
          "measure",
          "cool-down",
          "order",
          "seed",
          "limits");
  static final List<String> HOST =
      List.of(
          "address",
          "local",
          "user",
          "port",
          "identity",
          "known-hosts",
          "sudo",
          "cpupool",
          "toolstack");

  /** What only a host reached over SSH has. */
  static final List<String> SSH_ONLY =
      List.of("address", "user", "port", "identity", "known-hosts");

  static final List<String> TOOLSTACKS = List.of("xl", "xm");
  static final List<String> DOMAINS = List.of("main", "other");
  static final List<String> PROFILE_FILE = List.of("file", "only");
  static final List<String> WORKLOAD = List.of("name", "plan", "target", "properties");
  static final List<String> LIMITS =
      List.of("errors", "generator-cpu", "generator-lateness", "littles-law");

  /** Workloads by name; which of them can run is for the workload's own room to say. */
  static final List<String> WORKLOADS = List.of("web-app", "vps", "portal", "observe", "plan");

  static final Map<String, Order> ORDERS = orders();

  private ExperimentKeys() {}

  private static Map<String, Order> orders() {
    Map<String, Order> words = new LinkedHashMap<>();
    for (Order order : Order.values()) {
      words.put(order.toString(), order);
    }
    return words;
  }
}
