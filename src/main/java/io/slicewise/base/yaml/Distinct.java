package io.slicewise.base.yaml;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * At least one value of a kind, each listed once.
 *
 * @param one what an entry is, as in {@code must list at least one number}
 */
public record Distinct(OptionKind each, String one) implements OptionKind {
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
              read -> {
                if (items.contains(read)) {
                  item.refuse("is listed twice");
                } else {
                  items.add(read);
                }
              });
    }
    if (value.isList() && written.isEmpty()) {
      value.refuse("must list at least one " + one);
    }
    return items.isEmpty() || items.size() < written.size() ? Optional.empty() : Optional.of(items);
  }
}
