package io.slicewise.base.yaml;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** A map in a file, with unique keys in the order written. */
public final class YamlMap {
  private final String file;
  private final String whose;
  private final Faults faults;
  private final int line;
  private final Map<String, YamlValue> values = new LinkedHashMap<>();
  private final Map<String, Integer> lines = new LinkedHashMap<>();

  private YamlMap(String file, String whose, int line, Faults faults) {
    this.file = file;
    this.whose = whose;
    this.line = line;
    this.faults = faults;
  }

  static YamlMap of(String file, String whose, MappingNode node, Faults faults) {
    YamlMap map = new YamlMap(file, whose, YamlValue.line(node), faults);
    node.getValue().forEach(map::add);
    return map;
  }

  private void add(NodeTuple tuple) {
    Node keyNode = tuple.getKeyNode();
    int keyLine = YamlValue.line(keyNode);
    if (!(keyNode instanceof ScalarNode scalar) || scalar.getValue().isBlank()) {
      faults.add(file, keyLine, "a key" + whose + " must be a word");
      return;
    }
    String key = scalar.getValue();
    if (values.containsKey(key)) {
      faults.add(
          file,
          keyLine,
          (faults.mayQuote(file) ? "key '" + key + "'" : "a key")
              + whose
              + " is already defined in line "
              + lines.get(key));
      return;
    }
    values.put(key, new YamlValue(file, key, whose, tuple.getValueNode(), faults));
    lines.put(key, keyLine);
  }

  void refuseUnknown(Collection<String> known) {
    for (String key : values.keySet()) {
      if (!known.contains(key)) {
        String suggestion = Suggestion.of(key, known);
        String way = suggestion.isEmpty() ? "; known are " + String.join(", ", known) : suggestion;
        boolean quoted = faults.mayQuote(file) || !suggestion.isEmpty();
        faults.add(
            file,
            lines.get(key),
            "unknown key%s%s%s".formatted(quoted ? " '" + key + "'" : "", whose, way));
      }
    }
  }

  /** The keys in the order written. */
  public Set<String> keys() {
    return values.keySet();
  }

  public boolean has(String key) {
    return values.containsKey(key);
  }

  /** The value of a key, if present. */
  public Optional<YamlValue> get(String key) {
    return Optional.ofNullable(values.get(key));
  }

  /** The value of a required key; a missing one is an error. */
  public Optional<YamlValue> required(String key) {
    if (!values.containsKey(key)) {
      fault("'" + key + "'" + whose + " is missing");
    }
    return get(key);
  }

  void missing(Option option) {
    fault("'%s'%s is missing: %s".formatted(option.name(), whose, option.about()));
  }

  /** Adds an error at the map's first line. */
  public void fault(String message) {
    faults.add(file, line, message);
  }

  /** Adds an error at the line of a key. */
  public void fault(String key, String message) {
    faults.add(file, lines.getOrDefault(key, line), message);
  }

  /** The whole map, as {@link YamlValue#plain} returns it. */
  public Map<String, Object> plain() {
    Map<String, Object> plain = new LinkedHashMap<>();
    values.forEach((key, value) -> plain.put(key, value.plain()));
    return plain;
  }
}
