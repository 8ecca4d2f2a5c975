package io.slicewise.base.yaml;

import io.slicewise.base.units.DurationText;
import io.slicewise.base.units.PercentText;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.DumperOptions.FlowStyle;
import org.yaml.snakeyaml.Yaml;

/**
 * Writes a map of a YAML file, key by key, so that it can be read again. Times, paths, constants
 * and the like are written as their text.
 */
public final class YamlWriter {
  private final Map<String, Object> map = new LinkedHashMap<>();

  /** Adds a key, unless its value is an empty list or map; the value may be a writer. */
  public YamlWriter put(String key, Object value) {
    Object plain = plain(value);
    return put(key, Optional.of(plain).filter(it -> !it.equals(List.of()) && !it.equals(Map.of())));
  }

  /** Adds a key, if there is a value; that may be an empty list or map. */
  public YamlWriter put(String key, Optional<?> value) {
    value.ifPresent(present -> map.put(key, plain(present)));
    return this;
  }

  public YamlWriter put(String key, OptionalInt value) {
    value.ifPresent(number -> map.put(key, number));
    return this;
  }

  /** Adds a share as a percentage. */
  public YamlWriter share(String key, double share) {
    return put(key, PercentText.of(share));
  }

  private static Object plain(Object value) {
    if (value instanceof YamlWriter part) {
      return part.map;
    }
    if (value instanceof Duration time) {
      return DurationText.of(time);
    }
    if (value instanceof List<?> items) {
      return items.stream().map(YamlWriter::plain).toList();
    }
    if (value instanceof Map<?, ?> entries) {
      Map<Object, Object> all = new LinkedHashMap<>();
      entries.forEach((key, each) -> all.put(key, plain(each)));
      return all;
    }
    return value instanceof Number || value instanceof Boolean ? value : value.toString();
  }

  /** Returns the plain values by key. */
  public Map<String, Object> map() {
    return map;
  }

  /** Returns the text of the file. */
  public String text() {
    DumperOptions options = new DumperOptions();
    options.setDefaultFlowStyle(FlowStyle.BLOCK);
    options.setSplitLines(false);
    options.setDereferenceAliases(true);
    return new Yaml(options).dump(map);
  }
}
