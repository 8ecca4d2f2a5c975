package io.slicewise.experiment.file;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.Quantity;
import io.slicewise.experiment.Experiment.Order;
import io.slicewise.experiment.Stop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The keys and words of an experiment file; tests compare the published schema with them. */
public final class ExperimentKeys {
  public static final List<String> TOP =
      List.of(
          "name",
          "host",
          "lab",
          "domains",
          "logins",
          "watch",
          "profiles",
          "baseline",
          "controls",
          "workload",
          "users",
          "rate",
          "scale",
          "most-users",
          "guests",
          "generators",
          "repetitions",
          "stop",
          "design",
          "ramp",
          "warm-up",
          "measure",
          "cool-down",
          "order",
          "seed",
          "limits",
          "goal",
          "guard",
          "simulation",
          "tune");

  /** The keys of every workload; each workload can have further ones. */
  public static final List<String> WORKLOAD = List.of("name", "plan", "target", "properties");

  static final OptionKind ANY_TIME = Quantity.Time.from(Duration.ZERO);

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
