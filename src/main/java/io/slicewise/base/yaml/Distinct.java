package io.slicewise.base.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** At least one value of a kind, each listed once. */
public record Distinct(OptionKind each) implements OptionKind {
  @Override
  public Map<String, Object> schema() {
    return OptionKind.ordered(
        "type", "array", "minItems", 1, "uniqueItems", true, "items", each.schema());
  }

  @Override
  public String example() {
    return "[" + each.example() + "]";
  }

  @Override
  public Optional<Object> read(YamlValue value, Path file) {
    List<Object> items = new ArrayList<>();
    List<YamlValue> written = value.items();
    for (YamlValue item : written) {
      each.read(item, file)
          .ifPresent(
              one -> {
                if (items.contains(one)) {
                  item.refuse("is listed twice");
                } else {
                  items.add(one);
                }
              });
    }
    if (value.isList() && written.isEmpty()) {
      value.refuse("must have at least one entry");
    }
    return items.isEmpty() || items.size() < written.size() ? Optional.empty() : Optional.of(items);
  }
}
