package io.slicewise.experiment;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Allowed changes by metric.
 *
 * @param shares whether run shares of domains are metrics as well
 */
record GuardKind(boolean shares) implements OptionKind {
  static final List<String> METRICS = List.of("throughput", "mean", "p50", "p95", "p99", "errors");
  private static final String SHARE = "^" + TuneGoal.RUN_SHARE + "\\S+$";

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> schema =
        OptionKind.ordered("type", "object", "additionalProperties", false);
    Map<String, Object> properties = new LinkedHashMap<>();
    METRICS.forEach(metric -> properties.put(metric, change(metric)));
    schema.put("properties", properties);
    if (shares) {
      schema.put("patternProperties", Map.of(SHARE, change(Aim.THROUGHPUT)));
    }
    return schema;
  }

  private static Map<String, Object> change(String metric) {
    return switch (metric) {
      case Aim.ERRORS -> Map.of("$ref", "#/definitions/percent");
      case Aim.THROUGHPUT -> OptionKind.ordered("type", "string", "pattern", AimReader.FALL);
      default -> Map.of("$ref", "#/definitions/rise");
    };
  }

  @Override
  public String example() {
    return "{throughput: -5%}";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    String whose = " of guard";
    return (shares ? value.anyMap(whose) : value.map(METRICS, whose)).map(this::read);
  }

  private Object read(YamlMap map) {
    Map<String, Object> guard = new LinkedHashMap<>();
    for (String metric : map.keys()) {
      boolean share = shares && metric.matches(SHARE);
      String kind = share ? Aim.THROUGHPUT : metric;
      if (share || METRICS.contains(metric)) {
        map.get(metric)
            .flatMap(value -> AimReader.allowed(kind, value))
            .ifPresent(allowed -> guard.put(metric, AimReader.text(kind, allowed)));
      } else if (shares) {
        map.fault(
            metric,
            "guard %s is not one of %s or '%sDOMAIN'"
                .formatted(metric, String.join(", ", METRICS), TuneGoal.RUN_SHARE));
      }
    }
    return guard;
  }
}
