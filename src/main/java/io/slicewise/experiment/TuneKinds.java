package io.slicewise.experiment;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlMap;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of values that only a {@code tune} has. */
final class TuneKinds {
  private TuneKinds() {}

  /** One range of values, or a list of them. */
  record Ranges() implements OptionKind {
    @Override
    public Map<String, Object> schema() {
      Map<String, Object> text =
          OptionKind.ordered("type", "string", "pattern", SearchRange.PATTERN);
      Map<String, Object> one =
          Map.of("anyOf", List.of(OptionKind.ordered("type", "integer", "minimum", 0), text));
      return Map.of(
          "anyOf", List.of(one, OptionKind.ordered("type", "array", "minItems", 1, "items", one)));
    }

    @Override
    public String example() {
      return "64..4096";
    }

    @Override
    public Optional<Object> read(YamlValue value, Path file) {
      List<YamlValue> items = value.isList() ? value.items() : List.of(value);
      if (items.isEmpty()) {
        value.refuse("names no value");
      }
      List<Object> texts = new ArrayList<>();
      for (YamlValue item : items) {
        item.parsed(
                text -> {
                  SearchRange.parse(text);
                  return text;
                })
            .ifPresent(texts::add);
      }
      return texts.isEmpty() ? Optional.empty() : Optional.of(texts);
    }
  }

  /** Allowed changes by metric; run shares of domains among them. */
  record Guard() implements OptionKind {
    private static final String SHARE = "^" + TuneGoal.RUN_SHARE + "\\S+$";

    @Override
    public Map<String, Object> schema() {
      Map<String, Object> properties = new LinkedHashMap<>();
      for (String metric : ExperimentKeys.GUARD) {
        properties.put(metric, change(metric));
      }
      return OptionKind.ordered(
          "type",
          "object",
          "additionalProperties",
          false,
          "properties",
          properties,
          "patternProperties",
          Map.of(SHARE, change(Aim.THROUGHPUT)));
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
      return value.anyMap(" of guard").map(Guard::read);
    }

    private static Object read(YamlMap map) {
      Map<String, Object> guard = new LinkedHashMap<>();
      for (String metric : map.keys()) {
        boolean share = metric.matches(SHARE);
        if (!share && !ExperimentKeys.GUARD.contains(metric)) {
          map.fault(
              metric,
              "guard %s is none of %s, or '%sDOMAIN'"
                  .formatted(metric, String.join(", ", ExperimentKeys.GUARD), TuneGoal.RUN_SHARE));
        } else {
          map.get(metric)
              .flatMap(value -> AimReader.allowed(share ? Aim.THROUGHPUT : metric, value))
              .ifPresent(
                  allowed ->
                      guard.put(metric, AimReader.text(share ? Aim.THROUGHPUT : metric, allowed)));
        }
      }
      return guard;
    }
  }
}
