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
          "controls",
          "workload",
          "users",
          "repetitions",
          "stop",
          "ramp",
          "warm-up",
          "measure",
          "cool-down",
          "order",
          "seed",
          "limits",
          "goal",
          "guard",
          "simulation");
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
          "toolstack",
          "sign-in-limit",
          "command-limit");

  /** What only a host reached over SSH has. */
  static final List<String> SSH_ONLY =
      List.of("address", "user", "port", "identity", "known-hosts", "sign-in-limit");

  static final List<String> SIMULATION = List.of("demands", "xen", "pcpus", "vcpus");
  static final List<String> DEMANDS = List.of("web", "database", "file", "dom0", "disk");
  static final List<String> DOMAINS = List.of("main", "other");
  static final List<String> PROFILE_FILE = List.of("file", "only");

  /** What every workload may have; further keys are its own. */
  static final List<String> WORKLOAD = List.of("name", "plan", "target", "properties");

  static final List<String> LIMITS =
      List.of(
          "errors",
          "generator-cpu",
          "generator-lateness",
          "generator-gc",
          "littles-law",
          "lab-lateness",
          "repeat-invalid");
  static final List<String> GUARD = List.of("throughput", "mean", "p50", "p95", "p99", "errors");
  static final List<String> STOP = List.of("precision", "rule", "within");
  static final List<String> WITHIN = List.of("trials", "time");

  static final Map<String, Order> ORDERS = words(Order.values());
  static final Map<String, Stop.Rule> STOP_RULES = words(Stop.Rule.values());

  private ExperimentKeys() {}

  private static <T> Map<String, T> words(T[] values) {
    Map<String, T> words = new LinkedHashMap<>();
    for (T value : values) {
      words.put(value.toString(), value);
    }
    return words;
  }
}
