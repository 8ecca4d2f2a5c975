package io.slicewise.experiment;

import io.slicewise.base.yaml.OptionKind;
import io.slicewise.base.yaml.YamlValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The kinds of values that occur only in {@code tune}. */
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
        value.refuse("contains no value");
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
}
