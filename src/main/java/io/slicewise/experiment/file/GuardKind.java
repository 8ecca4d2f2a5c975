package io.slicewise.experiment.file;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import io.slicewise.experiment.goal.Aim;
import io.slicewise.experiment.goal.DomainMetric;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Allowed changes by metric, of the load or of a domain. */
record GuardKind() implements OptionKind {
  @Override
  public Map<String, Object> schema() {
    Map<String, Object> schema =
        OptionKind.ordered("type", "object", "additionalProperties", false);
    Map<String, Object> properties = new LinkedHashMap<>();
    Aim.METRICS.forEach(metric -> properties.put(metric, change(metric)));
    schema.put("properties", properties);
    schema.put(
        "patternProperties",
        OptionKind.ordered(
            ofDomains(false), change(Aim.THROUGHPUT), ofDomains(true), change("mean")));
    return schema;
  }

  private static String ofDomains(boolean lowerIsBetter) {
    return "^%s$"
        .formatted(
            DomainMetric.pattern(
                Arrays.stream(DomainMetric.Kind.values())
                    .filter(kind -> kind.lowerIsBetter() == lowerIsBetter)
                    .toList()));
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
    return value.anyMap(" of guard").map(this::read);
  }

  private Object read(YamlMap map) {
    Map<String, Object> guard = new LinkedHashMap<>();
    for (String metric : map.keys()) {
      if (Aim.METRICS.contains(metric) || metric.matches(DomainMetric.PATTERN)) {
        map.get(metric)
            .flatMap(value -> AimReader.allowed(metric, value))
            .ifPresent(allowed -> guard.put(metric, Aim.text(metric, allowed)));
      } else {
        map.fault(
            metric,
            "guard %s is not one of %s, 'run share of DOMAIN' or 'wait share of DOMAIN'"
                .formatted(metric, String.join(", ", Aim.METRICS)));
      }
    }
    return guard;
  }
}
